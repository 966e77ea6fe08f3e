/**
 * The projects of Vitest, in the order in which they run. A test file belongs to the first one that names it; `database`
 * has all others. `npm test` without a file runs the first two, `npm run test:all` all three.
 */

/** Need no database: what they find, they find in the first seconds. */
const UNITS = [
  'test/{errors,fair-queue,lru-caches,typed-document}.test.ts',
  'test/access/{api-key,client-network}.test.ts',
  'test/ballots/tally.test.ts',
  'test/bench/results.test.ts',
  'test/cache/response-cache.test.ts',
  'test/config/**',
  'test/database/{connection-errors,lookup-cache,shared-reads}.test.ts',
  'test/embedded/{fast-lookup,opening-problem,wire}.test.ts',
  'test/exports/{copied-rows,export-config,local-files,query-library,signed-links,sql-check}.test.ts',
  'test/graphql/documents/{caching,documents}.test.ts',
  'test/graphql/execution/{encode-json,execute,fair-execute}.test.ts',
  'test/http/{deadline,keyless-turns}.test.ts',
  'test/import/{counties,csv-records,large-votes,legislative-codes,legislative-places,read-files,report,results/offices,results/rules}.test.ts',
  'test/import/persons/{join-rules,person-name}.test.ts',
  'test/places/publication-28.test.ts',
  'test/publish/cells.test.ts',
  'test/schema/{client-recipes,descriptions,grants,graphql-eslint,packages,released}.test.ts',
  'test/http/read-parameters.test.ts',
  'test/service/{logger,progress}.test.ts',
  'test/support/responses/{graphql,rest}.test.ts',
];

/** Browsers, processes that are started and killed, thousands of requests, large files, real data, installed packages: most files that take more than five seconds. */
const SLOW = [
  'test/sample.test.ts',
  'test/browser/{compare,docs,find,graphiql,http2,map,packages,pages,private,states,updates,voting,widget,wording}.test.ts',
  'test/bench/prices.test.ts',
  'test/changes/{copy,files,retention}.test.ts',
  'test/cache/{equality,proved-versions,redis-cache}.test.ts',
  'test/database/{cancel-statement,renamed-columns}.test.ts',
  'test/clients/**',
  'test/differential/**',
  'test/embedded/**',
  'test/examples/**',
  'test/exports/{exporter,s3-files,sandbox-transaction}.test.ts',
  'test/federation/**',
  'test/kubernetes/**',
  'test/four-states/**',
  'test/graphql/documents/document-memory.test.ts',
  'test/graphql/execution/response-size.test.ts',
  'test/graphql/schema/{node,paging}.test.ts',
  'test/hostile/{first-and-last-day,fuzz}.test.ts',
  'test/http/{late-response,load,page-limits,tracing}.test.ts',
  'test/import/{audit,by-name,checks-cells,civics-cdf,congress-legislators,congress-real,district-files}.test.ts',
  'test/import/{district-identity,districts-geojson,editions,editions-real,hostile-feeds,hostile-archives,hostile-boundaries,hostile-datasets}.test.ts',
  'test/import/{hostile-texts,kill,load,manifest,map-completeness,results/{cases,precincts}}.test.ts',
  'test/import/{overlapping-terms,people-and-divisions,source-options,special-files,unusable-files}.test.ts',
  'test/import/{us-atlas,vote-gov,voting-places,voting-real,web-addresses,withdraw,persons/{join-persons,orders}}.test.ts',
  'test/mcp/{conformance,sample-questions,stdio}.test.ts',
  'test/non-interference/**',
  'test/oracle/**',
  'test/places/{accuracy,belonging,long-texts,zip-shares}.test.ts',
  'test/tiles/low-zoom.test.ts',
  'test/schema/generated.test.ts',
  'test/service/**',
  'test/supply/**',
];

export interface TestFiles {
  readonly include: string[];
  readonly exclude: string[];
}

const ALL = ['test/**/*.test.ts'];
const ofTests = (patterns: readonly string[]) =>
  patterns.map((pattern) => (pattern.endsWith('**') ? `${pattern}/*.test.ts` : pattern));

/** The files of each project; in the next project, those of the earlier ones are excluded. */
export const PROJECTS = {
  units: { include: ofTests(UNITS), exclude: [] },
  database: { include: ALL, exclude: [...ofTests(UNITS), ...ofTests(SLOW)] },
  slow: { include: ofTests(SLOW), exclude: ofTests(UNITS) },
} satisfies Record<string, TestFiles>;

export type ProjectName = keyof typeof PROJECTS;

/** What `npm test` leaves out when no file is named, and how to run it. */
export const LEFT_OUT: ProjectName = 'slow';
