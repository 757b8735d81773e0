/* Waits for the season: asks once a second whether something is to be done, and then goes there. */
"use strict";
(function () {
  const wait = document.getElementById("wait");
  setInterval(async () => {
    if (document.hidden) return;
    try {
      if ((await fetch(wait.dataset.changes)).status === 200) location.reload();
    } catch (problem) { /* No network: ask again in a second. */ }
  }, 1000);
})();
