export type Json = Record<string, unknown>;

/** One parameter of an operation, as the OpenAPI document describes it. */
export interface OpenApiParameter {
  readonly name: string;
  readonly in: 'query';
  readonly required: boolean;
  readonly description: string;
  readonly schema: Json;
  readonly example?: unknown;
  /** Set if the example response was requested with this parameter although it is optional. */
  readonly 'x-in-example'?: true;
}

export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** The ways to authenticate, if not by a key alone. */
  readonly security?: readonly { readonly apiKey?: readonly [] }[];
  readonly parameters: readonly OpenApiParameter[];
  readonly requestBody?: {
    readonly required: true;
    readonly content: { readonly 'application/json': { readonly schema: Json; readonly example: Json } };
  };
  readonly responses: Json;
}

/** A path supports GET or POST. */
export interface PathItem {
  readonly get?: OpenApiOperation;
  readonly post?: OpenApiOperation;
}

export interface OpenApiDocument {
  readonly openapi: '3.1.1';
  readonly info: Json & { readonly title: string; readonly description: string };
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: Json & { readonly schemas: Readonly<Record<string, Json>> };
}
