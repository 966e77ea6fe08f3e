import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';

/**
 * The cost of a leaf by the value of an argument (0 if it is omitted, or if the leaf has none): the number of records of
 * the same size in bytes, or that take as long.
 */
export interface LeafCost {
  readonly argument?: string;
  readonly of: (value: number) => number;
}

/** What a field costs, in records of about 100 bytes. */
export interface FieldCosts {
  /**
   * The assumed number of records in a list: near the usual maximum (in the four states of the test data, 99 of 100 lists
   * are shorter), or lower where the average over many parents matters. Pages and lists of points or ids are as long as
   * their arguments.
   */
  listLength?: number;
  /**
   * The cost of computing the field once, in addition to its records. Comparing the outlines of a district takes 5 to 300
   * ms, in which PostgreSQL could read thousands of records; what it takes beyond the usual is counted when the operation
   * runs.
   */
  computation?: number;
  /** The cost of a leaf that is larger than a record, or takes longer. */
  leafCost?: LeafCost;
  /**
   * The cost of a leaf of a connection that is computed from its whole list, once for the connection: lists have up to
   * 300,000 records in the national store of the benchmark.
   */
  wholeListCost?: number;
}

/**
 * The cost of giving an argument, in addition to that of its field: an extension of the argument. It is not counted for the
 * value null.
 */
export interface ArgumentCosts {
  computation?: number;
}

declare global {
  namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      fieldCosts: FieldCostsPlugin<Types>;
    }
    interface FieldOptions extends FieldCosts {}
  }
}

/** Keeps the costs of fields in their extensions, where the cost of an operation is computed from them. */
class FieldCostsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(config: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    const { listLength, computation, leafCost, wholeListCost } = config.pothosOptions;
    const costs = {
      ...(listLength && { listLength }),
      ...(computation && { computation }),
      ...(leafCost && { leafCost }),
      ...(wholeListCost && { wholeListCost }),
    };
    return { ...config, extensions: { ...config.extensions, ...costs } };
  }
}

SchemaBuilder.registerPlugin('fieldCosts', FieldCostsPlugin);

/**
 * The cost of each field of the query type, in addition to its records: it sends a statement of its own, and a list finds
 * its page among the records of a state or of the country.
 */
export const ROOT_COSTS = { field: 20, connection: 100 };
