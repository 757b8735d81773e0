/* Shows the messages of the site, and opens their page. Nothing is kept. */
self.addEventListener("push", (event) => {
  const { body, url, tag } = event.data.json();
  event.waitUntil(self.registration.showNotification("Solaris Circuit", { body, tag, data: url, icon: "/static/img/icon-192.png" }));
});
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(clients.openWindow(event.notification.data));
});
