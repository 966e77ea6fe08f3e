import autocannon from 'autocannon';

/**
 * The load generator, in a separate process. Each message is a run: `requests` are distributed over the connections, so
 * that no two request the same at the same time. Replies with rates, and latencies in milliseconds.
 */
process.on('message', async ({ url, connections, duration, amount, requests }) => {
  const latencies = [];
  let dealt = 0;
  const instance = autocannon(
    {
      url,
      connections,
      ...(amount ? { amount } : { duration }),
      requests: requests.slice(0, 1),
      timeout: 30,
      setupClient(client) {
        const first = dealt++;
        const own = requests.filter((_, index) => index % connections === first);
        client.setRequests(own.length > 0 ? own : requests);
      },
    },
    (error, result) => {
      if (error) return process.send({ error: error.message });
      latencies.sort((one, other) => one - other);
      const at = (part) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * part))] ?? 0;
      process.send({
        perSecond: latencies.length / result.duration,
        p50: at(0.5),
        p99: at(0.99),
        requests: latencies.length,
        failed: result.non2xx + result.errors + result.timeouts,
        bytes: result.throughput.total,
      });
    },
  );
  instance.on('response', (_client, _status, _bytes, milliseconds) => latencies.push(milliseconds));
});
process.on('disconnect', () => process.exit());
