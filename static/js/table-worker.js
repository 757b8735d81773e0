/* Keeps the page of one table, and the static files that it is made of, for a phone without a network. The newest copy
   from the network goes first; an answer that is not the page (logged out, not allowed) clears what was kept. The
   answer that the site or its database cannot be reached (502 to 504) counts as none. */
"use strict";
const page = new URL(self.registration.scope).pathname, shell = `table ${page}`;
self.addEventListener("install", (event) => event.waitUntil(keepAll().then(() => self.skipWaiting())));
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const request = event.request, url = new URL(request.url), isPage = request.mode === "navigate" && url.pathname === page;
  const isPart = request.mode !== "navigate" && url.pathname.startsWith("/static/");
  if (request.method === "GET" && url.origin === location.origin && (isPage || isPart)) event.respondWith(answer(request, isPage));
});
async function answer(request, isPage) {
  const cache = await caches.open(shell);
  let fresh, problem;
  try {
    fresh = await fetch(request);
    if (fresh.ok) await cache.put(isPage ? page : request, fresh.clone());
    else if (isPage && fresh.status < 500) await caches.delete(shell);
    if (fresh.status < 502) return fresh;
  } catch (lost) { problem = lost; }
  const kept = await cache.match(isPage ? page : request);
  if (kept || fresh) return kept || fresh;
  throw problem;
}
async function keepAll() {
  const text = await (await fetch(page)).text(), parts = [...text.matchAll(/(?:href|src)="(\/static\/[^"]+)"/g)];
  await (await caches.open(shell)).addAll([page, ...new Set(parts.map((found) => found[1]))]);
}
