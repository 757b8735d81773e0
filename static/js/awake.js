/* Keeps the screen on while the page is in front, where the browser can, and says so in #awake. */
"use strict";
(function () {
  const told = document.getElementById("awake");
  let lock = null;
  async function hold() {
    if (document.hidden || lock) return;
    try {
      lock = await navigator.wakeLock.request("screen");
      told.hidden = false;
      lock.addEventListener("release", () => { lock = null; told.hidden = true; });
    } catch (problem) { /* The browser says no, as with a battery that is low. It is asked again later. */ }
  }
  if (!navigator.wakeLock) return;
  document.addEventListener("visibilitychange", hold);
  document.addEventListener("click", hold);
  hold();
})();
