import { type Answer, ballotDay, today } from './answer.ts';
import type { Rung } from './data.ts';
import type { Outline, Scene } from './map-view.ts';
import { type Drawn, outlinesOf } from './outlines.ts';
import type { PlaceAddress } from './place-address.ts';
import { type Frame, frameOf, visibleBox } from './projection.ts';

/** A district with one of its boundaries. */
export interface Area {
  readonly district: Pick<Rung['district'], 'databaseId' | 'type' | 'name'>;
  readonly boundary: Pick<Rung['boundary'], 'id' | 'databaseId' | 'startDate' | 'boundingBox'>;
}

/** Returns the district whose outline is drawn: the chosen one, the smallest with two maps, or that of Congress. */
export function chosenOf(rungs: readonly Rung[], { d }: PlaceAddress): Rung | undefined {
  const chosen = rungs.find(({ district }) => district.databaseId === d);
  const redrawn = rungs.filter(({ district }) => district.boundaries.length > 1).at(-1);
  return chosen ?? redrawn ?? rungs.find(({ district }) => district.type === 'CONGRESS') ?? rungs.at(-1);
}

/** Returns the frame of a point that was found: its county, or the smallest district. */
export function arrivalFrame(rungs: readonly Rung[]): Frame | undefined {
  return frameAround(rungs.find(({ district }) => district.type === 'COUNTY') ?? rungs.at(-1), 0.12);
}

/** Returns the frame of a district with a margin around it, as a share of its size. */
export function frameAround(rung: Rung | undefined, margin: number): Frame | undefined {
  const box = rung?.boundary.boundingBox;
  return rung && box ? frameOf(visibleBox(rung.district.type, box), margin) : undefined;
}

/** Returns the area of a race on the ballot that is shown. */
export function areaOf(answer: Answer, address: PlaceAddress, race: number): Area | undefined {
  for (const { district, races } of answer.ballots.read.get(ballotDay(answer, address) ?? '')?.districts ?? []) {
    const boundary = races.find(({ databaseId }) => databaseId === race)?.boundary?.boundary;
    if (boundary) return { district, boundary };
  }
  return undefined;
}

/** The scene of a point, and the same with the shapes of its outlines, which have to be read. */
export interface PlaceScene {
  readonly scene: Scene;
  readonly withShapes: (signal: AbortSignal) => Promise<Scene>;
}

/** Returns the districts of a point, in which the area of a race is emphasized, otherwise the chosen district. */
export function placeScene(
  { rungs, at, on }: Answer,
  address: PlaceAddress,
  title: string,
  race?: Area,
  precinct?: Area,
): PlaceScene {
  const chosen: Area | undefined = race ?? chosenOf(rungs, address);
  const isChosen = (each: Area) => each.district.databaseId === chosen?.district.databaseId;
  const lines: (readonly [Area, string])[] = [
    ...rungs.filter(({ district }) => district.type === 'COUNTY').map((each) => [each, 'm-d county'] as const),
    ...rungs.filter(({ district }) => district.type === 'CITY_TOWN').map((each) => [each, 'm-d city'] as const),
    ...(precinct ? [[precinct, 'm-d precinct'] as const] : []),
    ...(chosen ? [[chosen, 'm-d on'] as const] : []),
  ].filter(([each, css]) => !isChosen(each) || css === 'm-d on');
  const sceneWith = (shapes: ReadonlyMap<number, unknown>): Scene => ({
    day: on ?? today,
    pin: at,
    label: `Map of ${title}, with its districts drawn. The list beside the map names them all. Arrow keys move the map, Enter chooses its center.`,
    outlines: lines.map(
      ([{ district, boundary }, css]): Outline => ({
        ...{ databaseId: boundary.databaseId, type: district.type, css, name: district.name },
        day: boundary === race?.boundary || boundary === precinct?.boundary ? boundary.startDate : undefined,
        shape: shapes.get(boundary.databaseId),
      }),
    ),
  });
  return {
    scene: sceneWith(new Map()),
    withShapes: async (signal) => sceneWith(await outlinesOf(drawable(lines.map(([each]) => each)), 1 / 400, signal)),
  };
}

/** Returns the boundaries of the areas that have an outline. */
export function drawable(areas: readonly Area[]): Drawn[] {
  return areas.flatMap(({ district, boundary: { id, databaseId, boundingBox } }) =>
    boundingBox ? [{ id, databaseId, type: district.type, box: boundingBox }] : [],
  );
}
