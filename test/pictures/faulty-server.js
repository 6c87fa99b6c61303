// A server with two bugs, in front of a correct one: it accepts a `limit` of 51, and it repeats the second page as the third.
import { once } from "node:events";
import { createServer, request as send } from "node:http";

export async function startFaultyServer(upstream) {
  const server = createServer((request, response) => {
    const url = new URL(upstream);
    const path = request.url.replace(/([?&]limit)=51\b/, "$1=50").replace(/([?&]page)=2\b/, "$1=1");
    const forwarded = send(url, { path, method: request.method, headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.rawHeaders);
      answer.pipe(response);
    });
    request.pipe(forwarded);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => new Promise((done) => server.close(done)) };
}
