/** A violation that the integrity checks have to find: the statements that plant it, and the names of the checks. */
export interface PlantedViolation {
  readonly title: string;
  readonly plant: string;
  readonly checks: readonly string[];
}

/** Returns a violation; `checks` are the names of the checks that find it, separated by spaces. */
export const violation = (title: string, checks: string, plant: string): PlantedViolation => ({
  title,
  plant,
  checks: checks.split(' '),
});

/** Returns an SQL expression for a rectangle as a MultiPolygon. */
export const box = (west: number, south: number, east: number, north: number) =>
  `ST_Multi(ST_MakeEnvelope(${west}, ${south}, ${east}, ${north}, 4326))`;

/** Moves the boundary of a district, with its pieces. */
export const redraw = (district: number, geometry: string) => `
  update boundaries set geometry = ${geometry}, digest = 'redrawn' where district_id = ${district};
  update boundary_pieces as p set geometry = ST_GeometryN(b.geometry, 1)
  from boundaries as b where b.id = p.boundary_id and b.district_id = ${district}`;

export const RI = 'ocd-division/country:us/state:ri';
export const OFFICE =
  "insert into offices (id, district_id, name, level, branch) values (9, 41, 'Clerk', 'Local', 'Executive')";
export const PERSON = "insert into persons (id, name) values (9, 'ben BAKER')";
