import type { GraphQLError } from 'graphql';
import { z } from 'zod';
import type { Context } from '../../graph/builder/context.ts';
import { notIncluded } from '../../graph/builder/grants.ts';
import type { Prepare } from '../graphql/documents/documents.ts';
import type { ErrorFormat } from '../graphql/execution/error-format.ts';
import type { Execute } from '../graphql/execution/execute.ts';

/** The services of one tool call. */
export interface ToolScope {
  readonly context: Context;
  readonly execute: Execute;
  /** Parses, limits and validates documents that the client wrote. */
  readonly prepare: Prepare;
  /** Converts an error to the form in which `/graphql` sends it. */
  readonly formatError: ErrorFormat;
}

/** The errors of a document that the client wrote and that has no data, in the form in which `/graphql` sends them. */
export class DocumentErrors extends Error {
  override readonly name = 'DocumentErrors';
  readonly errors: readonly GraphQLError[];

  constructor(errors: readonly GraphQLError[]) {
    super(errors.map(({ message }) => message).join(' '));
    this.errors = errors;
  }
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  /**
   * Returns the result to valid input; it matches `output`.
   * @throws ServiceError, GraphQLError or DocumentErrors, whose message is meant for the client.
   */
  run(input: Readonly<Record<string, unknown>>, scope: ToolScope): Promise<Readonly<Record<string, unknown>>>;
}

/** The maximum length of a result as JSON in bytes. Longer results push other content out of a model's context. */
export const MAX_RESULT_BYTES = 8_000;

export const source = z.object({
  name: z.string().describe('Name of the data set.'),
  asOf: z.string().optional().describe('The day as of which the data is current; missing if not known.'),
});

/** The members of every result in addition to its list. */
const common = {
  notKnown: z.array(z.string()).describe('Fields that the data lacks or the package of the API key excludes.'),
  sources: z.array(source).describe('The data sets that the result was taken from.'),
  omitted: z
    .int()
    .describe('Number of entries missing at the end of the list, because a result has at most 8 kB: request less.'),
};

interface ListTool<Input extends z.ZodObject> extends Pick<Tool, 'name' | 'title' | 'description'> {
  readonly input: Input;
  /** The name of the list in the result. */
  readonly list: string;
  readonly entry: z.ZodType;
  /** The other members of the result. */
  readonly extra: z.ZodRawShape;
  read(input: z.output<Input>, scope: ToolScope): Promise<ListResult>;
}

/** Members of entries that are null are omitted from the result. */
interface ListResult {
  readonly entries: readonly object[];
  readonly extra?: object;
  readonly notKnown: readonly string[];
  /** The result of the document, with the sources of its records. */
  readonly data: unknown;
}

/**
 * Defines a tool that returns a list. What its documents ask for and the package of the key lacks is in `notKnown`. Entries at the end are omitted, and counted, if the result would be longer
 * than `MAX_RESULT_BYTES`.
 */
export function defineTool<Input extends z.ZodObject>({ list, entry, extra, read, ...tool }: ListTool<Input>): Tool {
  return {
    ...tool,
    output: z.object({ ...extra, [list]: z.array(entry), ...common }),
    async run(input, scope) {
      const excluded = new Set<string>();
      const execute: Execute = (operation) => {
        const { grants } = scope.context.caller;
        const { notInPackage = [] } = operation.prepared.analysis.findNotInPackage(operation, grants) ?? {};
        // What a tool reads in `coverage` only explains its result.
        const shown = notInPackage.filter(({ paths }) => paths.some(([field]) => field !== 'coverage'));
        for (const { grant } of shown) excluded.add(notIncluded([grant].flat()));
        return scope.execute(operation);
      };
      const found = await read(input as z.output<Input>, { ...scope, execute });
      const rest = { notKnown: [...excluded, ...found.notKnown], sources: sourcesIn(found.data) };
      return longestFitting(found.entries, (entries) =>
        withoutNulls({ ...found.extra, [list]: entries, ...rest, omitted: found.entries.length - entries.length }),
      );
    },
  };
}

/** Returns the result with as many entries as fit, from the start of the list. */
function longestFitting<Result>(entries: readonly object[], make: (entries: readonly object[]) => Result): Result {
  let [fitting, tooMany] = [0, entries.length + 1];
  while (tooMany - fitting > 1) {
    const middle = Math.floor((fitting + tooMany) / 2);
    if (bytesOf(make(entries.slice(0, middle))) <= MAX_RESULT_BYTES) fitting = middle;
    else tooMany = middle;
  }
  return make(entries.slice(0, fitting));
}

/** Returns the length of a value as JSON in bytes. */
export function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** Omits members that are null, which would use up much of a result. */
function withoutNulls(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const text = JSON.stringify(value, (_, member) => member ?? undefined);
  return JSON.parse(text) as Readonly<Record<string, unknown>>;
}

/** Returns the distinct sources of all records in a result, in the order of their first occurrence. */
function sourcesIn(data: unknown): z.output<typeof source>[] {
  const found = new Map<string, z.output<typeof source>>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [member, each] of Object.entries(value)) {
      if (member !== 'sources') visit(each);
      else for (const one of each as z.output<typeof source>[]) found.set(`${one.name} ${one.asOf}`, one);
    }
  };
  visit(data);
  return [...found.values()];
}

/** Shortens a text to 300 characters and removes the HTML that sources have in it. */
export function shortened(text: string | null): string | null {
  const plain =
    text
      ?.replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim() ?? null;
  return plain !== null && plain.length > 300 ? `${plain.slice(0, 299)}…` : plain;
}
