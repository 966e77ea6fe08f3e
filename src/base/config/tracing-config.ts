import { z } from 'zod';
import { flag } from './values.ts';

const PROTOCOLS = ['http/protobuf', 'http/json'] as const;
const protocol = z.enum(PROTOCOLS, `must be ${PROTOCOLS.join(' or ')}`);
const address = z.url({ protocol: /^https?$/, error: 'must be an address, for example http://localhost:4318' });

/**
 * The OpenTelemetry variables that enable tracing and set its endpoint; the OpenTelemetry packages read all other
 * variables.
 */
export const tracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: address
    .optional()
    .describe('OpenTelemetry endpoint for traces, for example `http://localhost:4318`; if not set, none are sent'),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: address.optional().describe('The same, as a complete URL with its path'),
  OTEL_EXPORTER_OTLP_PROTOCOL: protocol
    .default('http/protobuf')
    .describe('Protocol for traces: `http/protobuf` or `http/json`'),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocol.optional().describe('The same; takes precedence'),
  OTEL_TRACES_EXPORTER: z
    .enum(['otlp', 'none'], 'must be otlp or none')
    .optional()
    .describe('`otlp` sends traces to `http://localhost:4318` if no endpoint is set; `none` sends none'),
  OTEL_SDK_DISABLED: flag(false).describe('Disables tracing regardless of the other variables'),
  OTEL_SERVICE_NAME: z.string().default('ballotgraph').describe('Name of the service in traces'),
} as const;

type Read = z.output<z.ZodObject<typeof tracingVariables>>;

export interface TracingConfig {
  readonly protocol: (typeof PROTOCOLS)[number];
  readonly serviceName: string;
}

/** Returns the configuration of tracing; undefined if no variable enables it. */
export function tracingConfig(read: Read): TracingConfig | undefined {
  const endpoint = read.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? read.OTEL_EXPORTER_OTLP_ENDPOINT;
  const exporter = read.OTEL_TRACES_EXPORTER ?? (endpoint === undefined ? 'none' : 'otlp');
  if (read.OTEL_SDK_DISABLED || exporter === 'none') return undefined;
  return {
    protocol: read.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? read.OTEL_EXPORTER_OTLP_PROTOCOL,
    serviceName: read.OTEL_SERVICE_NAME,
  };
}
