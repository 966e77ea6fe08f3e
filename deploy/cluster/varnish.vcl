# Varnish on a front machine: /etc/varnish/default.vcl. It caches what the gateway marks as public, for `s-maxage`, and asks again with
# the ETag then. A request with a key is passed: it gets no response from here, and leaves none.
vcl 4.1;

import directors;
import std;

# Whether a gateway is alive, not whether it is ready: while the database fails over, requests wait there, and pages need none.
probe gateways {
  .url = "/health";
  .interval = 1s;
  .timeout = 2s;
  .window = 3;
  .threshold = 2;
  .initial = 2;
}

backend front1 { .host = "${FRONT1}"; .port = "8081"; .connect_timeout = 1s; .first_byte_timeout = 15s; .probe = gateways; }
backend front2 { .host = "${FRONT2}"; .port = "8081"; .connect_timeout = 1s; .first_byte_timeout = 15s; .probe = gateways; }

sub vcl_init {
  new fronts = directors.round_robin();
  fronts.add_backend(front1);
  fronts.add_backend(front2);
}

sub vcl_recv {
  # For the health checks of haproxy: whether Varnish itself is alive. What it has cached, it serves without gateways.
  if (req.url == "/edge") {
    return (synth(200));
  }
  set req.backend_hint = fronts.backend();
  # What is older than `s-maxage` is served on while no gateway answers, and only then: otherwise the first visitor after an
  # import would get what is from before it, however long ago that was.
  if (std.healthy(req.backend_hint)) {
    set req.grace = 0s;
  }
  if (req.http.x-api-key || (req.method != "GET" && req.method != "HEAD")) {
    return (pass);
  }
  # Cookies and parts of the key in the address mean nothing to the gateway.
  unset req.http.Cookie;
  return (hash);
}

sub vcl_backend_response {
  # So long it may be served on, or confirmed by the gateway with 304.
  set beresp.grace = 10m;
  if (beresp.http.Cache-Control !~ "public") {
    set beresp.uncacheable = true;
    set beresp.ttl = 120s;
    return (deliver);
  }
}

sub vcl_backend_error {
  if (bereq.retries < 2) {
    return (retry);
  }
  set beresp.http.Cache-Control = "no-store";
  set beresp.http.Retry-After = "1";
}
