/** Resolvers of objects whose columns are joined to the row of their parent. */

export const personOf = (row) => ({
  id: row.person_id,
  name: row.name,
  first_name: row.first_name,
  last_name: row.last_name,
  url: row.url,
});

export const officeOf = (race) => ({
  id: race.office_id,
  name: race.office_name,
  level: race.office_level,
  branch: race.office_branch,
  chamber: race.office_chamber,
  is_partisan: race.office_is_partisan,
  type: race.office_type,
  seat: race.office_seat,
  url: race.office_url,
});
