/* Lets this browser take messages: asks for leave, subscribes, and sends the form. */
"use strict";
const form = document.getElementById("push"), can = "PushManager" in self && "serviceWorker" in navigator;
form.hidden = !can;
document.getElementById("push-none").hidden = can;
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    await navigator.serviceWorker.register(form.dataset.worker, { scope: "/" });
    const { pushManager } = await navigator.serviceWorker.ready;
    await (await pushManager.getSubscription())?.unsubscribe();
    const made = (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: form.dataset.key })).toJSON();
    form.elements.endpoint.value = made.endpoint;
    form.elements.public_key.value = made.keys.p256dh;
    form.elements.secret.value = made.keys.auth;
    form.submit();
  } catch { document.getElementById("push-failed").hidden = false; }
});
