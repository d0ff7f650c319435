"""Small C functions that generated code calls, each written out only where something calls it.

Integer arithmetic is done without signs where C leaves overflow undefined, and division by zero gives 0, as the
reference semantics have it.
"""

from __future__ import annotations

import re

_DOUBLE_TO_ODD = """\
static inline float tw_odd(double x) {  /* to float, rounded to odd: rounding once more is then right */
  float nearest = (float)x;
  double back = nearest;
  uint32_t bits;
  memcpy(&bits, &nearest, 4);
  if (back != x && back == back) bits = (bits - (fabs(back) > fabs(x))) | 1;
  memcpy(&nearest, &bits, 4);
  return nearest;
}"""

HELPERS: dict[str, str] = {
    "tw_violated": """\
static void tw_violated(int64_t *record, int64_t number, int count, const int64_t *values) {
#ifdef __GNUC__
  int64_t none = 0;  /* of several threads the first one reports */
  if (!__atomic_compare_exchange_n(record, &none, number, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return;
#else
  if (record[0] != 0) return;
  record[0] = number;
#endif
  for (int i = 0; i < count; ++i) record[1 + i] = values[i];
}""",
    "tw_printed": """\
static inline double tw_printed(double x) { return x != x ? fabs(x) : x; }  /* no sign of a NaN */""",
    "tw_floordiv": """\
static inline int64_t tw_floordiv(int64_t a, int64_t b) { return a / b - (a % b < 0); }""",
    "tw_mod": """\
static inline int64_t tw_mod(int64_t a, int64_t b) { return a % b + (a % b < 0 ? b : 0); }""",
    "tw_least": """\
static inline int64_t tw_least(int64_t a, int64_t b) { return a < b ? a : b; }""",
    "tw_most": """\
static inline int64_t tw_most(int64_t a, int64_t b) { return a > b ? a : b; }""",
    "tw_rounded": """\
static inline int64_t tw_rounded(int64_t bytes) { return bytes > 0 ? (bytes + 63) / 64 * 64 : 0; }""",
    "tw_plus": """\
static inline int64_t tw_plus(int64_t a, int64_t b) { return a > INT64_MAX - b ? INT64_MAX : a + b; }""",
    "tw_times": """\
static inline int64_t tw_times(int64_t a, int64_t b) {
  return a <= 0 || b <= 0 ? 0 : a > INT64_MAX / b ? INT64_MAX : a * b;
}""",
    "tw_rounded_bytes": """\
static inline int64_t tw_rounded_bytes(int64_t bytes) { return bytes > INT64_MAX - 63 ? bytes : tw_rounded(bytes); }""",
    "tw_umin": """\
static inline uint64_t tw_umin(uint64_t a, uint64_t b) { return a < b ? a : b; }""",
    "tw_umax": """\
static inline uint64_t tw_umax(uint64_t a, uint64_t b) { return a > b ? a : b; }""",
    "tw_divsi": """\
static inline int64_t tw_divsi(int64_t a, int64_t b) {
  return b == 0 ? 0 : b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b;
}""",
    "tw_remsi": """\
static inline int64_t tw_remsi(int64_t a, int64_t b) { return b == 0 || b == -1 ? 0 : a % b; }""",
    "tw_divui": """\
static inline uint64_t tw_divui(uint64_t a, uint64_t b) { return b == 0 ? 0 : a / b; }""",
    "tw_remui": """\
static inline uint64_t tw_remui(uint64_t a, uint64_t b) { return b == 0 ? 0 : a % b; }""",
    "tw_floordivsi": """\
static inline int64_t tw_floordivsi(int64_t a, int64_t b) {
  int64_t rest = tw_remsi(a, b);
  return tw_divsi(a, b) - (rest != 0 && (rest ^ b) < 0);
}""",
    "tw_ceildivsi": """\
static inline int64_t tw_ceildivsi(int64_t a, int64_t b) {
  int64_t rest = tw_remsi(a, b);
  return tw_divsi(a, b) + (rest != 0 && (rest ^ b) >= 0);
}""",
    "tw_ceildivui": """\
static inline uint64_t tw_ceildivui(uint64_t a, uint64_t b) { return tw_divui(a, b) + (tw_remui(a, b) != 0); }""",
    "tw_shli": """\
static inline uint64_t tw_shli(uint64_t a, uint64_t by, int width) { return by < (uint64_t)width ? a << by : 0; }""",
    "tw_shrui": """\
static inline uint64_t tw_shrui(uint64_t a, uint64_t by, int width) { return by < (uint64_t)width ? a >> by : 0; }""",
    "tw_shrsi": """\
static inline int64_t tw_shrsi(int64_t a, uint64_t by, int width) {
  return a >> (by < (uint64_t)width ? by : (uint64_t)width - 1);
}""",
    "tw_ctpop": """\
static inline int tw_ctpop(uint64_t a) {
  int count = 0;
  for (; a; a &= a - 1) ++count;
  return count;
}""",
    "tw_ctlz": """\
static inline int tw_ctlz(uint64_t a, int width) {
  int count = 0;
  while (count < width && !(a >> (width - 1 - count) & 1)) ++count;
  return count;
}""",
    "tw_cttz": """\
static inline int tw_cttz(uint64_t a, int width) {
  int count = 0;
  while (count < width && !(a >> count & 1)) ++count;
  return count;
}""",
    "tw_ipowi": """\
static inline int64_t tw_ipowi(int64_t a, int64_t n) {
  if (n < 0) return a == 0 ? 0 : a == 1 ? 1 : a == -1 ? (n & 1 ? -1 : 1) : 0;
  uint64_t result = 1, base = (uint64_t)a;
  for (; n; n >>= 1, base *= base) if (n & 1) result *= base;
  return (int64_t)result;
}""",
    "tw_maximumf": """\
static inline float tw_maximumf(float a, float b) { return a != a ? a : a > b ? a : b; }""",
    "tw_minimumf": """\
static inline float tw_minimumf(float a, float b) { return a != a ? a : a < b ? a : b; }""",
    "tw_maxnumf": """\
static inline float tw_maxnumf(float a, float b) { return b != b ? a : a > b ? a : b; }""",
    "tw_minnumf": """\
static inline float tw_minnumf(float a, float b) { return b != b ? a : a < b ? a : b; }""",
    "tw_maximum": """\
static inline double tw_maximum(double a, double b) { return a != a ? a : a > b ? a : b; }""",
    "tw_minimum": """\
static inline double tw_minimum(double a, double b) { return a != a ? a : a < b ? a : b; }""",
    "tw_maxnum": """\
static inline double tw_maxnum(double a, double b) { return b != b ? a : a > b ? a : b; }""",
    "tw_minnum": """\
static inline double tw_minnum(double a, double b) { return b != b ? a : a < b ? a : b; }""",
    "tw_float_bits": """\
static inline int32_t tw_float_bits(float a) {
  int32_t bits;
  memcpy(&bits, &a, sizeof a);
  return bits;
}""",
    "tw_double_bits": """\
static inline int64_t tw_double_bits(double a) {
  int64_t bits;
  memcpy(&bits, &a, sizeof a);
  return bits;
}""",
    "tw_bits_float": """\
static inline float tw_bits_float(int32_t bits) {
  float a;
  memcpy(&a, &bits, sizeof a);
  return a;
}""",
    "tw_bits_double": """\
static inline double tw_bits_double(int64_t bits) {
  double a;
  memcpy(&a, &bits, sizeof a);
  return a;
}""",
    "tw_odd": _DOUBLE_TO_ODD,
    "tw_from_bfloat": """\
static inline float tw_from_bfloat(uint16_t bits) { return tw_bits_float((int32_t)((uint32_t)bits << 16)); }""",
    "tw_to_bfloat": """\
static inline uint16_t tw_to_bfloat(float a) {
  uint32_t bits = (uint32_t)tw_float_bits(a);
  if (a != a) return (uint16_t)(bits >> 16 | 0x40);
  return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}""",
    "tw_round_bfloat": """\
static inline float tw_round_bfloat(float a) { return tw_from_bfloat(tw_to_bfloat(a)); }""",
    "tw_from_half": """\
static inline float tw_from_half(uint16_t bits) {
  uint32_t sign = (uint32_t)(bits & 0x8000) << 16, rest = bits & 0x7fff;
  if (rest >= 0x7c00) return tw_bits_float((int32_t)(sign | 0x7f800000 | (rest & 0x3ff) << 13));
  float magnitude = rest >= 0x400 ? tw_bits_float((int32_t)((rest << 13) + 0x38000000)) : (float)rest * 0x1p-24f;
  return sign ? -magnitude : magnitude;
}""",
    "tw_to_half": """\
static inline uint16_t tw_to_half(float a) {
  uint32_t bits = (uint32_t)tw_float_bits(a), sign = bits >> 16 & 0x8000;
  bits &= 0x7fffffff;
  if (bits > 0x7f800000) return (uint16_t)(sign | 0x7e00);
  if (bits >= 0x47800000) return (uint16_t)(sign | 0x7c00);
  /* Below the least normal number: adding 1/2 rounds to units of 2^-24. */
  if (bits < 0x38800000) return (uint16_t)(sign | ((uint32_t)tw_float_bits(fabsf(a) + 0.5f) - 0x3f000000));
  return (uint16_t)(sign | (bits - 0x38000000 + 0xfff + (bits >> 13 & 1)) >> 13);
}""",
    "tw_round_half": """\
static inline float tw_round_half(float a) { return tw_from_half(tw_to_half(a)); }""",
}

_NAME = re.compile(r"\btw_\w+\b")


def helper_source(used: set[str]) -> list[str]:
    """Return the definitions of the helpers in `used` and of those that they call, callees first."""
    needed: set[str] = set()
    waiting = [name for name in used if name in HELPERS]
    while waiting:
        name = waiting.pop()
        if name not in needed:
            needed.add(name)
            waiting += [n for n in _NAME.findall(HELPERS[name]) if n in HELPERS and n not in needed]
    return [text for name, text in HELPERS.items() if name in needed]


def helpers_in(text: str) -> set[str]:
    """Return the helpers that a piece of source calls."""
    return {name for name in _NAME.findall(text) if name in HELPERS}
