/* Waits for the season: asks once a second whether something is to be done, and then goes there. */
"use strict";
(function () {
  const wait = document.getElementById("wait");
  let looks = 0, called;
  setInterval(async () => {
    if (document.hidden && (called || ++looks % 5)) return;
    try {
      if ((await fetch(wait.dataset.changes)).status !== 200) return;
      if (!document.hidden) location.reload();
      else if (!called) { called = true; callReader(); }
    } catch (problem) { /* No network: ask again in a second. */ }
  }, 1000);
})();
