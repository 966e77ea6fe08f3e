import autocannon from 'autocannon';

/**
 * The load generator, in a separate process. Each message is a run: `requests` are distributed over the connections, so
 * that no two send the same request at the same time. Replies with rates and latencies (in milliseconds) of successful
 * requests, and with the failures by HTTP status, `GraphQL errors`, `timeout` or the code of the network error.
 */
process.on('message', async ({ url, connections, duration, amount, requests }) => {
  const latencies = [];
  const failures = {};
  let clients = 0;
  const countFailure = (reason) => {
    failures[reason] = (failures[reason] ?? 0) + 1;
  };
  const instance = autocannon(
    {
      url,
      connections,
      ...(amount ? { amount } : { duration }),
      requests: requests.slice(0, 1),
      timeout: 30,
      // The generator notices the end of a run at its next sample.
      sampleInt: 100,
      setupClient(client) {
        const first = clients++;
        const own = requests.filter((_, index) => index % connections === first);
        client.setRequests(own.length > 0 ? own : requests);
        client.on('body', (body) => {
          client.hasErrors ||= body.includes('"errors":[');
        });
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
        most: at(1),
        requests: latencies.length,
        failures,
        bytes: result.throughput.total,
      });
    },
  );
  instance.on('response', (client, status, _bytes, milliseconds) => {
    if (status !== 200) countFailure(String(status));
    else if (client.hasErrors) countFailure('GraphQL errors');
    else latencies.push(milliseconds);
    client.hasErrors = false;
  });
  instance.on('reqError', (error) =>
    countFailure(error.code ?? (/timed out/.test(error.message) ? 'timeout' : error.message)),
  );
});
process.on('disconnect', () => process.exit());
