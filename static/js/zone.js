"use strict";
const $ = (id) => document.getElementById(id), zone = $("id_time_zone");
zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
$("zone").textContent = zone.value ||= "UTC";
