import { dictionary } from '../dictionary.ts';

/** The values of `LIMITS`, with what each sets of the variables that are not set by themselves. What a single request may be is the same in all. */
export const PRESETS = dictionary<Readonly<Record<string, string>>>({
  // One core and 1 GB of memory, shared with the database: a quarter of the connections, requests and cached bytes at once.
  small: {
    MAX_SOCKETS: '2500',
    MAX_SOCKETS_PER_ADDRESS: '250',
    MAX_IN_FLIGHT: '64',
    MAX_IN_FLIGHT_PER_KEY: '4',
    MAX_WAITING_PER_KEY: '32',
    MAX_EXPORTS_PER_KEY: '32',
    MAX_PAGES_IN_FLIGHT: '32',
    MAX_PAGES_IN_FLIGHT_PER_ADDRESS: '8',
    RESPONSE_CACHE_BYTES: '16777216',
  },
  // The defaults: two cores, and clients that connect to the gateway itself.
  public: {},
  // All connections come from the proxy, which keeps them open and limits those of its clients.
  'behind-proxy': { MAX_SOCKETS_PER_ADDRESS: '0', KEEP_ALIVE_TIMEOUT_MS: '600000' },
});
