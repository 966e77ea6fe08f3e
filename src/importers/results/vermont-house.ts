/**
 * The districts of Vermont's House that elect two members, by the code of their OCD id, under the plan in force for the
 * elections from 2012 to 2020 (2012 Act 74, 17 V.S.A. § 1893): 46 of 104. Results of 2018 state one for every district.
 */
const TWO_MEMBERS = new Set(
  `addison-1 addison-3 addison-4 bennington-2-1 bennington-2-2 bennington-4 caledonia-3 caledonia-4 chittenden-10
  chittenden-2 chittenden-3 chittenden-6-1 chittenden-6-3 chittenden-6-4 chittenden-6-5 chittenden-6-7 chittenden-8-1
  chittenden-8-2 chittenden-9-1 chittenden-9-2 franklin-3-1 franklin-4 franklin-5 grand_isle-chittenden lamoille-2
  lamoille-washington orange-1 orange-washington-addison orleans-1 orleans-2 orleans-caledonia rutland-2 rutland-3
  rutland-6 washington-1 washington-2 washington-3 washington-4 washington-7 washington-chittenden windham-3 windham-4
  windsor-1 windsor-3-2 windsor-4-2 windsor-orange-2`.split(/\s+/),
);

/**
 * Returns how many members a district of Vermont's House, given by its OCD id, elects on a day; undefined for days
 * outside this plan.
 */
export function vermontHouseSeats(ocdid: string, date: string): number | undefined {
  if (date < '2012-11-06' || date >= '2022-01-01') return undefined;
  return TWO_MEMBERS.has(ocdid.replace(/^.*sldl:/, '')) ? 2 : 1;
}
