import {
  type ASTNode,
  type DocumentNode,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  parse,
  print,
  validate,
  visit,
} from 'graphql';
import type { DrawnRequest } from '../drawn/documents.ts';

const REMOVABLE: ReadonlySet<string> = new Set([
  ...[Kind.FIELD, Kind.INLINE_FRAGMENT, Kind.FRAGMENT_SPREAD, Kind.DIRECTIVE, Kind.ARGUMENT, Kind.OBJECT_FIELD],
  ...[Kind.OPERATION_DEFINITION],
]);

/**
 * Makes a request smaller as long as it fails: removes a part of the document, then what nothing uses any more.
 * @param fails whether a request fails.
 */
export async function shrink(
  schema: GraphQLSchema,
  request: DrawnRequest,
  fails: (smaller: DrawnRequest) => Promise<boolean>,
): Promise<DrawnRequest> {
  let smallest = request;
  for (let part = 0; ; ) {
    const smaller = without(parse(smallest.query, { noLocation: true }), part, smallest);
    if (!smaller) return smallest;
    if (isSendable(schema, smaller) && (await fails(smaller))) smallest = smaller;
    else part++;
  }
}

/** Returns the request without its n-th removable part; undefined if it has fewer. */
function without(document: DocumentNode, part: number, request: DrawnRequest): DrawnRequest | undefined {
  let number = 0;
  let isFound = false;
  const cut: DocumentNode = visit(document, {
    enter(node: ASTNode) {
      if (!REMOVABLE.has(node.kind) || number++ !== part) return undefined;
      isFound = true;
      return null;
    },
  });
  if (!isFound) return undefined;
  const clean = withoutUnused(cut);
  const names = new Set<string>();
  visit(clean, { [Kind.VARIABLE_DEFINITION]: ({ variable }) => void names.add(variable.name.value) });
  const variables = Object.fromEntries(Object.entries(request.variables).filter(([name]) => names.has(name)));
  return { ...request, query: print(clean), variables };
}

/** Returns the document without unused fragments and variables. */
function withoutUnused(document: DocumentNode): DocumentNode {
  const used = new Set<string>();
  visit(document, {
    [Kind.FRAGMENT_SPREAD]: ({ name }) => void used.add(`...${name.value}`),
    [Kind.VARIABLE_DEFINITION]: () => false,
    [Kind.VARIABLE]: ({ name }) => void used.add(`$${name.value}`),
  });
  const clean: DocumentNode = visit(document, {
    [Kind.FRAGMENT_DEFINITION]: ({ name }) => (used.has(`...${name.value}`) ? undefined : null),
    [Kind.VARIABLE_DEFINITION]: ({ variable }) => (used.has(`$${variable.name.value}`) ? undefined : null),
  });
  return print(clean) === print(document) ? clean : withoutUnused(clean);
}

/**
 * Returns whether a request is still valid, contains its operation, and has no empty selection sets, which graphql-js
 * accepts but other parsers reject.
 */
function isSendable(schema: GraphQLSchema, { query, operationName }: DrawnRequest): boolean {
  try {
    const document = parse(query);
    const isValid = validate(schema, document).length === 0 && getOperationAST(document, operationName) != null;
    return isValid && !/\{\s*\}/.test(query);
  } catch {
    return false;
  }
}
