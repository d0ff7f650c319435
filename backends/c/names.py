"""What names of C may not be called."""

from __future__ import annotations

RESERVED = frozenset({
    "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum", "extern",
    "float", "for", "goto", "if", "inline", "int", "long", "main", "register", "restrict", "return", "short",
    "signed", "sizeof", "static", "struct", "switch", "typedef", "union", "unsigned", "void", "volatile", "while",
    "bool", "true", "false", "half", "uchar", "ushort", "uint", "ulong", "kernel", "global", "local", "constant",
    "private", "barrier", "errno", "malloc", "free", "abs", "NULL", "INFINITY", "NAN", "signgam", "assert",
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "ceil", "copysign", "cos", "cosh", "erf",
    "erfc", "exp", "exp2", "expm1", "fabs", "fdim", "floor", "fma", "fmax", "fmin", "fmod", "frexp", "gamma",
    "hypot", "j0", "j1", "jn", "ldexp", "log", "log10", "log1p", "log2", "logb", "max", "min", "modf", "pow",
    "remainder", "rint", "round", "rsqrt", "sin", "sinh", "sqrt", "step", "tan", "tanh", "tgamma", "trunc", "y0",
    "y1", "yn", "select", "lane", "threads", "arguments", "sizes", "constants", "arena", "status", "failed",
    "abort", "atexit", "atof", "atoi", "atol", "atoll", "bsearch", "calloc", "div", "exit", "getenv", "ilogb", "labs",
    "ldiv", "lgamma", "llabs", "lldiv", "llrint", "llround", "lrint", "lround", "mblen", "mbstowcs", "mbtowc",
    "memchr", "memcmp", "memcpy", "memmove", "memset", "nan", "nearbyint", "nextafter", "nexttoward", "qsort", "rand",
    "realloc", "remquo", "scalbln", "scalbn", "srand", "strcat", "strchr", "strcmp", "strcoll", "strcpy", "strcspn",
    "strerror", "strlen", "strncat", "strncmp", "strncpy", "strpbrk", "strrchr", "strspn", "strstr", "strtod", "strtof",
    "strtok", "strtol", "strtold", "strtoll", "strtoul", "strtoull", "strxfrm", "system", "wcstombs", "wctomb",
    "alloca", "bcmp", "bcopy", "bzero", "drem", "ffs", "finite", "isfinite", "isinf", "isnan", "isnormal", "putenv",
    "random", "rindex", "scalb", "setenv", "signbit", "significand", "srandom", "stpcpy", "strdup", "strndup", "strsep",
    "printf", "fflush", "stdout",
})  # fmt: skip
"""Words of C and OpenCL, functions of their libraries, and names that generated code uses."""
