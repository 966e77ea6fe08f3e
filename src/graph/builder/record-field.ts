import type { ObjectRef } from '@pothos/core';
import { type BuilderTypes, builder } from './builder.ts';
import { defineRecord, type RecordOptions } from './node.ts';

/** Defines the root field that returns one record of a type: `ballotMeasure` for `BallotMeasure`. */
export function recordField<Row extends object>(type: ObjectRef<BuilderTypes, Row>, options: RecordOptions<Row>): void {
  const name = `${type.name.charAt(0).toLowerCase()}${type.name.slice(1)}`;
  const noun = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const description = `One ${noun} by one of its ids; null when there is none.`;
  const record: RecordOptions<object> = options;
  builder.queryField(name, (t) =>
    t.field({ type: type as ObjectRef<BuilderTypes, object>, description, ...defineRecord(type, record) }),
  );
}
