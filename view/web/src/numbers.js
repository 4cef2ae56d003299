// Numbers for people.

const COUNT = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

// A count in few characters, such as 1.2K.
export function compact(count) {
  return COUNT.format(count);
}
