import type { Draw } from '../drawn/random.ts';
import { addDays } from './days.ts';
import type { Question } from './rules.ts';
import { midpointsOf, type Position, verticesOf } from './shapes.ts';
import type { World } from './world.ts';

const POLES: readonly Position[] = [-180, -90, -0, 37.5, 180].flatMap((longitude) => [
  [longitude, 90] as const,
  [longitude, -90] as const,
]);
const NEAR = 1e-6;

/** Draws questions about a world: points on and next to vertices and edges, days on and next to those of a change. */
export function createQuestions(draw: Draw, world: World): () => Omit<Question, 'electionId'> {
  const shapes = world.districts.flatMap(({ maps }) => maps.map(({ shape }) => shape));
  const vertices = shapes.flatMap(verticesOf);
  const midpoints = shapes.flatMap(midpointsOf);
  const onMeridian = vertices.filter(([longitude]) => Math.abs(longitude) === 180);

  function point(): Position {
    const [x, y] = draw.pick(draw.chance(0.5) ? vertices : midpoints);
    switch (draw.integer(0, 9)) {
      case 0:
      case 1:
      case 2:
        return [x, y];
      case 3:
      case 4:
        return [x + draw.pick([-NEAR, 0, NEAR]), y + draw.pick([-NEAR, 0, NEAR])];
      case 5: {
        const [longitude, latitude] = draw.pick(onMeridian.length > 0 ? onMeridian : vertices);
        return [draw.chance(0.5) ? longitude : -longitude, latitude + draw.pick([0, 0, NEAR, -NEAR, 0.5])];
      }
      case 6:
        return draw.pick(POLES);
      case 7:
        return [draw.pick([0, -0, x]), draw.pick([-0, y])];
      case 8:
        // Between two places that may be of one district.
        return [(x + draw.pick(vertices)[0]) / 2, (y + draw.pick(vertices)[1]) / 2];
      default:
        return [x + draw.integer(-200, 200) / 100, y + draw.integer(-200, 200) / 100];
    }
  }

  const turning = () => addDays(draw.pick(world.turningDays), draw.integer(-1, 1));
  return () => {
    const [x, y] = point();
    const longitude = inRange(x, 180);
    const latitude = inRange(y, 90);
    const election = draw.pick(world.electionDays);
    // A year before or after an election, and a day more or less.
    const edge = addDays(yearsFrom(election, draw.pick([-1, 1])), draw.integer(-1, 1));
    return {
      ...{ latitude, longitude, today: draw.chance(0.6) ? edge : turning() },
      ...{
        day: draw.chance(0.6) ? election : turning(),
        election: draw.pick(world.electionIds),
        race: draw.pick(world.raceIds),
      },
    };
  };
}

/** Formats a number with nine decimals, as REST accepts it; zero retains its sign. */
function inRange(degrees: number, bound: number): number {
  const rounded = Number(degrees.toFixed(9));
  return Math.abs(rounded) > bound ? Math.sign(rounded) * bound : Object.is(degrees, -0) ? -0 : rounded;
}

function yearsFrom(day: string, years: number): string {
  const moved = `${Number(day.slice(0, 4)) + years}${day.slice(4)}`;
  return moved.endsWith('-02-29') ? `${moved.slice(0, 4)}-02-28` : moved;
}
