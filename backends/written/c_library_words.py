"""Identifiers of the libraries of C and OpenCL C, written by tests/c_backend/derive_words.py."""

from __future__ import annotations

_C_WORDS = """
BIG_ENDIAN BUFSIZ BYTE_ORDER EOF EXIT_FAILURE EXIT_SUCCESS FD_CLR FD_ISSET FD_SET FD_SETSIZE FD_ZERO FILE FILENAME_MAX
FOPEN_MAX FP_ILOGB0 FP_ILOGBNAN FP_INFINITE FP_INT_DOWNWARD FP_INT_TONEAREST FP_INT_TONEARESTFROMZERO
FP_INT_TOWARDZERO FP_INT_UPWARD FP_LLOGB0 FP_LLOGBNAN FP_NAN FP_NORMAL FP_SUBNORMAL FP_ZERO HUGE_VAL HUGE_VALF
HUGE_VALL HUGE_VAL_F128 HUGE_VAL_F32 HUGE_VAL_F32X HUGE_VAL_F64 HUGE_VAL_F64X INFINITY INT16_C INT16_MAX INT16_MIN
INT16_WIDTH INT32_C INT32_MAX INT32_MIN INT32_WIDTH INT64_C INT64_MAX INT64_MIN INT64_WIDTH INT8_C INT8_MAX INT8_MIN
INT8_WIDTH INTMAX_C INTMAX_MAX INTMAX_MIN INTMAX_WIDTH INTPTR_MAX INTPTR_MIN INTPTR_WIDTH INT_FAST16_MAX
INT_FAST16_MIN INT_FAST16_WIDTH INT_FAST32_MAX INT_FAST32_MIN INT_FAST32_WIDTH INT_FAST64_MAX INT_FAST64_MIN
INT_FAST64_WIDTH INT_FAST8_MAX INT_FAST8_MIN INT_FAST8_WIDTH INT_LEAST16_MAX INT_LEAST16_MIN INT_LEAST16_WIDTH
INT_LEAST32_MAX INT_LEAST32_MIN INT_LEAST32_WIDTH INT_LEAST64_MAX INT_LEAST64_MIN INT_LEAST64_WIDTH INT_LEAST8_MAX
INT_LEAST8_MIN INT_LEAST8_WIDTH LITTLE_ENDIAN L_ctermid L_cuserid L_tmpnam MATH_ERREXCEPT MATH_ERRNO MAXFLOAT
MB_CUR_MAX M_1_PI M_1_PIf M_1_PIf128 M_1_PIf32 M_1_PIf32x M_1_PIf64 M_1_PIf64x M_1_PIl M_2_PI M_2_PIf M_2_PIf128
M_2_PIf32 M_2_PIf32x M_2_PIf64 M_2_PIf64x M_2_PIl M_2_SQRTPI M_2_SQRTPIf M_2_SQRTPIf128 M_2_SQRTPIf32 M_2_SQRTPIf32x
M_2_SQRTPIf64 M_2_SQRTPIf64x M_2_SQRTPIl M_E M_Ef M_Ef128 M_Ef32 M_Ef32x M_Ef64 M_Ef64x M_El M_LN10 M_LN10f M_LN10f128
M_LN10f32 M_LN10f32x M_LN10f64 M_LN10f64x M_LN10l M_LN2 M_LN2f M_LN2f128 M_LN2f32 M_LN2f32x M_LN2f64 M_LN2f64x M_LN2l
M_LOG10E M_LOG10Ef M_LOG10Ef128 M_LOG10Ef32 M_LOG10Ef32x M_LOG10Ef64 M_LOG10Ef64x M_LOG10El M_LOG2E M_LOG2Ef
M_LOG2Ef128 M_LOG2Ef32 M_LOG2Ef32x M_LOG2Ef64 M_LOG2Ef64x M_LOG2El M_PI M_PI_2 M_PI_2f M_PI_2f128 M_PI_2f32 M_PI_2f32x
M_PI_2f64 M_PI_2f64x M_PI_2l M_PI_4 M_PI_4f M_PI_4f128 M_PI_4f32 M_PI_4f32x M_PI_4f64 M_PI_4f64x M_PI_4l M_PIf
M_PIf128 M_PIf32 M_PIf32x M_PIf64 M_PIf64x M_PIl M_SQRT1_2 M_SQRT1_2f M_SQRT1_2f128 M_SQRT1_2f32 M_SQRT1_2f32x
M_SQRT1_2f64 M_SQRT1_2f64x M_SQRT1_2l M_SQRT2 M_SQRT2f M_SQRT2f128 M_SQRT2f32 M_SQRT2f32x M_SQRT2f64 M_SQRT2f64x
M_SQRT2l NAN NFDBITS NULL PDP_ENDIAN PTRDIFF_MAX PTRDIFF_MIN PTRDIFF_WIDTH P_tmpdir RAND_MAX RENAME_EXCHANGE
RENAME_NOREPLACE RENAME_WHITEOUT SEEK_CUR SEEK_DATA SEEK_END SEEK_HOLE SEEK_SET SIG_ATOMIC_MAX SIG_ATOMIC_MIN
SIG_ATOMIC_WIDTH SIZE_MAX SIZE_WIDTH SNAN SNANF SNANF128 SNANF32 SNANF32X SNANF64 SNANF64X SNANL TMP_MAX UINT16_C
UINT16_MAX UINT16_WIDTH UINT32_C UINT32_MAX UINT32_WIDTH UINT64_C UINT64_MAX UINT64_WIDTH UINT8_C UINT8_MAX
UINT8_WIDTH UINTMAX_C UINTMAX_MAX UINTMAX_WIDTH UINTPTR_MAX UINTPTR_WIDTH UINT_FAST16_MAX UINT_FAST16_WIDTH
UINT_FAST32_MAX UINT_FAST32_WIDTH UINT_FAST64_MAX UINT_FAST64_WIDTH UINT_FAST8_MAX UINT_FAST8_WIDTH UINT_LEAST16_MAX
UINT_LEAST16_WIDTH UINT_LEAST32_MAX UINT_LEAST32_WIDTH UINT_LEAST64_MAX UINT_LEAST64_WIDTH UINT_LEAST8_MAX
UINT_LEAST8_WIDTH WCHAR_MAX WCHAR_MIN WCHAR_WIDTH WCONTINUED WEXITED WEXITSTATUS WIFCONTINUED WIFEXITED WIFSIGNALED
WIFSTOPPED WINT_MAX WINT_MIN WINT_WIDTH WNOHANG WNOWAIT WSTOPPED WSTOPSIG WTERMSIG WUNTRACED a64l abort abs acos acosf
acosf128 acosf32 acosf32x acosf64 acosf64x acosh acoshf acoshf128 acoshf32 acoshf32x acoshf64 acoshf64x acoshl acosl
acospi acospif acospil aligned_alloc alloca arc4random arc4random_buf arc4random_uniform asin asinf asinf128 asinf32
asinf32x asinf64 asinf64x asinh asinhf asinhf128 asinhf32 asinhf32x asinhf64 asinhf64x asinhl asinl asinpi asinpif
asinpil asprintf at_quick_exit atan atan2 atan2f atan2f128 atan2f32 atan2f32x atan2f64 atan2f64x atan2l atan2pi
atan2pif atan2pil atanf atanf128 atanf32 atanf32x atanf64 atanf64x atanh atanhf atanhf128 atanhf32 atanhf32x atanhf64
atanhf64x atanhl atanl atanpi atanpif atanpil atexit atof atoi atol atoll basename bcmp bcopy be16toh be32toh be64toh
blkcnt64_t blkcnt_t blksize_t bool bsearch bzero caddr_t calloc canonicalize canonicalize_file_name canonicalizef
canonicalizef128 canonicalizef32 canonicalizef32x canonicalizef64 canonicalizef64x canonicalizel cbrt cbrtf cbrtf128
cbrtf32 cbrtf32x cbrtf64 cbrtf64x cbrtl ceil ceilf ceilf128 ceilf32 ceilf32x ceilf64 ceilf64x ceill char clearenv
clearerr clearerr_unlocked clock_t clockid_t close comparison_fn_t compoundn compoundnf compoundnl const
cookie_close_function_t cookie_io_functions_t cookie_read_function_t cookie_seek_function_t cookie_write_function_t
copysign copysignf copysignf128 copysignf32 copysignf32x copysignf64 copysignf64x copysignl cos cosf cosf128 cosf32
cosf32x cosf64 cosf64x cosh coshf coshf128 coshf32 coshf32x coshf64 coshf64x coshl cosl cospi cospif cospil ctermid
cuserid daddl daddr_t ddivl dev_t dfmal div div_t dmull double double_t dprintf drand48 drand48_data drand48_r drem
dremf dreml dsqrtl dsubl ecvt ecvt_r end_ptr enum erand48 erand48_r erf erfc erfcf erfcf128 erfcf32 erfcf32x erfcf64
erfcf64x erfcl erff erff128 erff32 erff32x erff64 erff64x erfl exit exp exp10 exp10f exp10f128 exp10f32 exp10f32x
exp10f64 exp10f64x exp10l exp10m1 exp10m1f exp10m1l exp2 exp2f exp2f128 exp2f32 exp2f32x exp2f64 exp2f64x exp2l exp2m1
exp2m1f exp2m1l expf expf128 expf32 expf32x expf64 expf64x expl explicit_bzero expm1 expm1f expm1f128 expm1f32
expm1f32x expm1f64 expm1f64x expm1l extern f32addf128 f32addf32x f32addf64 f32addf64x f32divf128 f32divf32x f32divf64
f32divf64x f32fmaf128 f32fmaf32x f32fmaf64 f32fmaf64x f32mulf128 f32mulf32x f32mulf64 f32mulf64x f32sqrtf128
f32sqrtf32x f32sqrtf64 f32sqrtf64x f32subf128 f32subf32x f32subf64 f32subf64x f32xaddf128 f32xaddf64 f32xaddf64x
f32xdivf128 f32xdivf64 f32xdivf64x f32xfmaf128 f32xfmaf64 f32xfmaf64x f32xmulf128 f32xmulf64 f32xmulf64x f32xsqrtf128
f32xsqrtf64 f32xsqrtf64x f32xsubf128 f32xsubf64 f32xsubf64x f64addf128 f64addf64x f64divf128 f64divf64x f64fmaf128
f64fmaf64x f64mulf128 f64mulf64x f64sqrtf128 f64sqrtf64x f64subf128 f64subf64x f64xaddf128 f64xdivf128 f64xfmaf128
f64xmulf128 f64xsqrtf128 f64xsubf128 fabs fabsf fabsf128 fabsf32 fabsf32x fabsf64 fabsf64x fabsl fadd faddl false
fclose fcloseall fcvt fcvt_r fd_mask fd_set fdim fdimf fdimf128 fdimf32 fdimf32x fdimf64 fdimf64x fdiml fdiv fdivl
fdopen fds_bits feof feof_unlocked ferror ferror_unlocked fflush fflush_unlocked ffma ffmal ffs ffsl ffsll fgetc
fgetc_unlocked fgetpos fgetpos64 fgets fgets_unlocked fileno fileno_unlocked finite finitef finitel float float_t
flockfile floor floorf floorf128 floorf32 floorf32x floorf64 floorf64x floorl fma fmaf fmaf128 fmaf32 fmaf32x fmaf64
fmaf64x fmal fmax fmaxf fmaxf128 fmaxf32 fmaxf32x fmaxf64 fmaxf64x fmaximum fmaximum_mag fmaximum_mag_num
fmaximum_mag_numf fmaximum_mag_numf128 fmaximum_mag_numf32 fmaximum_mag_numf32x fmaximum_mag_numf64
fmaximum_mag_numf64x fmaximum_mag_numl fmaximum_magf fmaximum_magf128 fmaximum_magf32 fmaximum_magf32x fmaximum_magf64
fmaximum_magf64x fmaximum_magl fmaximum_num fmaximum_numf fmaximum_numf128 fmaximum_numf32 fmaximum_numf32x
fmaximum_numf64 fmaximum_numf64x fmaximum_numl fmaximumf fmaximumf128 fmaximumf32 fmaximumf32x fmaximumf64
fmaximumf64x fmaximuml fmaxl fmaxmag fmaxmagf fmaxmagf128 fmaxmagf32 fmaxmagf32x fmaxmagf64 fmaxmagf64x fmaxmagl
fmemopen fmin fminf fminf128 fminf32 fminf32x fminf64 fminf64x fminimum fminimum_mag fminimum_mag_num
fminimum_mag_numf fminimum_mag_numf128 fminimum_mag_numf32 fminimum_mag_numf32x fminimum_mag_numf64
fminimum_mag_numf64x fminimum_mag_numl fminimum_magf fminimum_magf128 fminimum_magf32 fminimum_magf32x fminimum_magf64
fminimum_magf64x fminimum_magl fminimum_num fminimum_numf fminimum_numf128 fminimum_numf32 fminimum_numf32x
fminimum_numf64 fminimum_numf64x fminimum_numl fminimumf fminimumf128 fminimumf32 fminimumf32x fminimumf64
fminimumf64x fminimuml fminl fminmag fminmagf fminmagf128 fminmagf32 fminmagf32x fminmagf64 fminmagf64x fminmagl fmod
fmodf fmodf128 fmodf32 fmodf32x fmodf64 fmodf64x fmodl fmul fmull fopen fopen64 fopencookie fpclassify fpos64_t fpos_t
fprintf fptr fputc fputc_unlocked fputs fputs_unlocked fread fread_unlocked free freopen freopen64 frexp frexpf
frexpf128 frexpf32 frexpf32x frexpf64 frexpf64x frexpl fromfp fromfpf fromfpf128 fromfpf32 fromfpf32x fromfpf64
fromfpf64x fromfpl fromfpx fromfpxf fromfpxf128 fromfpxf32 fromfpxf32x fromfpxf64 fromfpxf64x fromfpxl fsblkcnt64_t
fsblkcnt_t fscanf fseek fseeko fseeko64 fsetpos fsetpos64 fsfilcnt64_t fsfilcnt_t fsid_t fsqrt fsqrtl fsub fsubl ftell
ftello ftello64 ftrylockfile funlockfile fwrite fwrite_unlocked gamma gammaf gammal gcvt getc getc_unlocked getchar
getchar_unlocked getdelim getenv getline getloadavg getpayload getpayloadf getpayloadf128 getpayloadf32 getpayloadf32x
getpayloadf64 getpayloadf64x getpayloadl getpt gets getsubopt getw gid_t grantpt htobe16 htobe32 htobe64 htole16
htole32 htole64 hypot hypotf hypotf128 hypotf32 hypotf32x hypotf64 hypotf64x hypotl id_t ilogb ilogbf ilogbf128
ilogbf32 ilogbf32x ilogbf64 ilogbf64x ilogbl index initstate initstate_r ino64_t ino_t int int16_t int32_t int64_t
int8_t int_fast16_t int_fast32_t int_fast64_t int_fast8_t int_least16_t int_least32_t int_least64_t int_least8_t
intmax_t intptr_t iscanonical iseqsig isfinite isgreater isgreaterequal isinf isinff isinfl isless islessequal
islessgreater isnan isnanf isnanl isnormal issignaling issubnormal isunordered iszero j0 j0f j0f128 j0f32 j0f32x j0f64
j0f64x j0l j1 j1f j1f128 j1f32 j1f32x j1f64 j1f64x j1l jn jnf jnf128 jnf32 jnf32x jnf64 jnf64x jnl jrand48 jrand48_r
key_t l64a labs lcong48 lcong48_r ldexp ldexpf ldexpf128 ldexpf32 ldexpf32x ldexpf64 ldexpf64x ldexpl ldiv ldiv_t
le16toh le32toh le64toh lgamma lgamma_r lgammaf lgammaf128 lgammaf128_r lgammaf32 lgammaf32_r lgammaf32x lgammaf32x_r
lgammaf64 lgammaf64_r lgammaf64x lgammaf64x_r lgammaf_r lgammal lgammal_r linux llabs lldiv lldiv_t llogb llogbf
llogbf128 llogbf32 llogbf32x llogbf64 llogbf64x llogbl llrint llrintf llrintf128 llrintf32 llrintf32x llrintf64
llrintf64x llrintl llround llroundf llroundf128 llroundf32 llroundf32x llroundf64 llroundf64x llroundl locale_t loff_t
log log10 log10f log10f128 log10f32 log10f32x log10f64 log10f64x log10l log10p1 log10p1f log10p1l log1p log1pf
log1pf128 log1pf32 log1pf32x log1pf64 log1pf64x log1pl log2 log2f log2f128 log2f32 log2f32x log2f64 log2f64x log2l
log2p1 log2p1f log2p1l logb logbf logbf128 logbf32 logbf32x logbf64 logbf64x logbl logf logf128 logf32 logf32x logf64
logf64x logl logp1 logp1f logp1l long lrand48 lrand48_r lrint lrintf lrintf128 lrintf32 lrintf32x lrintf64 lrintf64x
lrintl lround lroundf lroundf128 lroundf32 lroundf32x lroundf64 lroundf64x lroundl malloc math_errhandling mblen
mbstowcs mbtowc memccpy memchr memcmp memcpy memfrob memmem memmove mempcpy memrchr memset mkdtemp mkostemp mkostemp64
mkostemps mkostemps64 mkstemp mkstemp64 mkstemps mkstemps64 mktemp mode_t modf modff modff128 modff32 modff32x modff64
modff64x modfl mrand48 mrand48_r nan nanf nanf128 nanf32 nanf32x nanf64 nanf64x nanl nearbyint nearbyintf
nearbyintf128 nearbyintf32 nearbyintf32x nearbyintf64 nearbyintf64x nearbyintl nextafter nextafterf nextafterf128
nextafterf32 nextafterf32x nextafterf64 nextafterf64x nextafterl nextdown nextdownf nextdownf128 nextdownf32
nextdownf32x nextdownf64 nextdownf64x nextdownl nexttoward nexttowardf nexttowardl nextup nextupf nextupf128 nextupf32
nextupf32x nextupf64 nextupf64x nextupl nlink_t nrand48 nrand48_r obstack obstack_printf obstack_vprintf off64_t off_t
on_exit open_memstream pclose perror pid_t popen posix_memalign posix_openpt pow powf powf128 powf32 powf32x powf64
powf64x powl pown pownf pownl powr powrf powrl printf pselect pthread_attr_t pthread_barrier_t pthread_barrierattr_t
pthread_cond_t pthread_condattr_t pthread_key_t pthread_mutex_t pthread_mutexattr_t pthread_once_t pthread_rwlock_t
pthread_rwlockattr_t pthread_spinlock_t pthread_t ptsname ptsname_r putc putc_unlocked putchar putchar_unlocked putenv
puts putw qecvt qecvt_r qfcvt qfcvt_r qgcvt qsort qsort_r quad_t quick_exit quot rand rand_deg rand_r rand_sep
rand_type random random_data random_r rawmemchr read realloc reallocarray realpath register_t rem remainder remainderf
remainderf128 remainderf32 remainderf32x remainderf64 remainderf64x remainderl remove remquo remquof remquof128
remquof32 remquof32x remquof64 remquof64x remquol rename renameat renameat2 return rewind rindex rint rintf rintf128
rintf32 rintf32x rintf64 rintf64x rintl rootn rootnf rootnl round roundeven roundevenf roundevenf128 roundevenf32
roundevenf32x roundevenf64 roundevenf64x roundevenl roundf roundf128 roundf32 roundf32x roundf64 roundf64x roundl
rpmatch rptr rsqrt rsqrtf rsqrtl scalb scalbf scalbl scalbln scalblnf scalblnf128 scalblnf32 scalblnf32x scalblnf64
scalblnf64x scalblnl scalbn scalbnf scalbnf128 scalbnf32 scalbnf32x scalbnf64 scalbnf64x scalbnl scanf secure_getenv
seed48 seed48_r seek select setbuf setbuffer setenv setlinebuf setpayload setpayloadf setpayloadf128 setpayloadf32
setpayloadf32x setpayloadf64 setpayloadf64x setpayloadl setpayloadsig setpayloadsigf setpayloadsigf128
setpayloadsigf32 setpayloadsigf32x setpayloadsigf64 setpayloadsigf64x setpayloadsigl setstate setstate_r setvbuf short
sigabbrev_np sigdescr_np signbit signed signgam significand significandf significandl sigset_t sin sincos sincosf
sincosf128 sincosf32 sincosf32x sincosf64 sincosf64x sincosl sinf sinf128 sinf32 sinf32x sinf64 sinf64x sinh sinhf
sinhf128 sinhf32 sinhf32x sinhf64 sinhf64x sinhl sinl sinpi sinpif sinpil size_t sizeof snprintf sprintf sqrt sqrtf
sqrtf128 sqrtf32 sqrtf32x sqrtf64 sqrtf64x sqrtl srand srand48 srand48_r srandom srandom_r sscanf ssize_t state static
stderr stdin stdout stpcpy stpncpy strcasecmp strcasecmp_l strcasestr strcat strchr strchrnul strcmp strcoll strcoll_l
strcpy strcspn strdup strdupa strerror strerror_l strerror_r strerrordesc_np strerrorname_np strfromd strfromf
strfromf128 strfromf32 strfromf32x strfromf64 strfromf64x strfroml strfry strlen strncasecmp strncasecmp_l strncat
strncmp strncpy strndup strndupa strnlen strpbrk strrchr strsep strsignal strspn strstr strtod strtod_l strtof
strtof128 strtof128_l strtof32 strtof32_l strtof32x strtof32x_l strtof64 strtof64_l strtof64x strtof64x_l strtof_l
strtok strtok_r strtol strtol_l strtold strtold_l strtoll strtoll_l strtoq strtoul strtoul_l strtoull strtoull_l
strtouq struct strverscmp strxfrm strxfrm_l suseconds_t system tan tanf tanf128 tanf32 tanf32x tanf64 tanf64x tanh
tanhf tanhf128 tanhf32 tanhf32x tanhf64 tanhf64x tanhl tanl tanpi tanpif tanpil tempnam tgamma tgammaf tgammaf128
tgammaf32 tgammaf32x tgammaf64 tgammaf64x tgammal time_t timer_t timespec timeval tmpfile tmpfile64 tmpnam tmpnam_r
totalorder totalorderf totalorderf128 totalorderf32 totalorderf32x totalorderf64 totalorderf64x totalorderl
totalordermag totalordermagf totalordermagf128 totalordermagf32 totalordermagf32x totalordermagf64 totalordermagf64x
totalordermagl true trunc truncf truncf128 truncf32 truncf32x truncf64 truncf64x truncl tv_nsec tv_sec tv_usec typedef
u_char u_int u_int16_t u_int32_t u_int64_t u_int8_t u_long u_quad_t u_short ufromfp ufromfpf ufromfpf128 ufromfpf32
ufromfpf32x ufromfpf64 ufromfpf64x ufromfpl ufromfpx ufromfpxf ufromfpxf128 ufromfpxf32 ufromfpxf32x ufromfpxf64
ufromfpxf64x ufromfpxl uid_t uint uint16_t uint32_t uint64_t uint8_t uint_fast16_t uint_fast32_t uint_fast64_t
uint_fast8_t uint_least16_t uint_least32_t uint_least64_t uint_least8_t uintmax_t uintptr_t ulong ungetc union unix
unlockpt unsetenv unsigned useconds_t ushort va_arg va_copy va_end va_list va_start valloc vasprintf vdprintf vfprintf
vfscanf void volatile vprintf vscanf vsnprintf vsprintf vsscanf wchar_t wcstombs wctomb write y0 y0f y0f128 y0f32
y0f32x y0f64 y0f64x y0l y1 y1f y1f128 y1f32 y1f32x y1f64 y1f64x y1l yn ynf ynf128 ynf32 ynf32x ynf64 ynf64x ynl
"""
C_WORDS = frozenset(_C_WORDS.split())
"""Identifiers and macros of the headers that written programs include."""

_OPENCL_WORDS = """
ATOMIC_FLAG_INIT ATOMIC_VAR_INIT CHAR_BIT CHAR_MAX CHAR_MIN DBL_DIG DBL_EPSILON DBL_MANT_DIG DBL_MAX DBL_MAX_10_EXP
DBL_MAX_EXP DBL_MIN DBL_MIN_10_EXP DBL_MIN_EXP DBL_RADIX FLT_DIG FLT_EPSILON FLT_MANT_DIG FLT_MAX FLT_MAX_10_EXP
FLT_MAX_EXP FLT_MIN FLT_MIN_10_EXP FLT_MIN_EXP FLT_RADIX HALF_DIG HALF_EPSILON HALF_MANT_DIG HALF_MAX HALF_MAX_10_EXP
HALF_MAX_EXP HALF_MIN HALF_MIN_10_EXP HALF_MIN_EXP HALF_RADIX INT_MAX INT_MIN LONG_MAX LONG_MIN MAX_WORK_DIM M_1_PI_F
M_1_PI_H M_2_PI_F M_2_PI_H M_2_SQRTPI_F M_2_SQRTPI_H M_E_F M_E_H M_LN10_F M_LN10_H M_LN2_F M_LN2_H M_LOG10E_F
M_LOG10E_H M_LOG2E_F M_LOG2E_H M_PI_2_F M_PI_2_H M_PI_4_F M_PI_4_H M_PI_F M_PI_H M_SQRT1_2_F M_SQRT1_2_H M_SQRT2_F
M_SQRT2_H SCHAR_MAX SCHAR_MIN SHRT_MAX SHRT_MIN UCHAR_MAX UINT_MAX ULONG_MAX USHRT_MAX abs_diff add_sat all amd_bfe
amd_bfm amd_bitalign amd_bytealign amd_lerp amd_max3 amd_median3 amd_min3 amd_mqsad amd_msad amd_pack amd_qsad amd_sad
amd_sad4 amd_sadd amd_sadhi amd_sadw amd_unpack0 amd_unpack1 amd_unpack2 amd_unpack3 any arm_dot arm_dot_acc
arm_dot_acc_sat barrier bit_reverse bitfield_extract_signed bitfield_extract_unsigned bitfield_insert bitselect
capture_event_profiling_info char16 char2 char3 char4 char8 clamp cles_khr_int64 clk_profiling_info clz
create_user_event cross ctz defined degrees deprecated distance dot dot_4x8packed_ss_int dot_4x8packed_su_int
dot_4x8packed_us_int dot_4x8packed_uu_uint dot_acc_sat dot_acc_sat_4x8packed_ss_int dot_acc_sat_4x8packed_su_int
dot_acc_sat_4x8packed_us_int dot_acc_sat_4x8packed_uu_uint double16 double2 double3 double4 double8 endif
ext_vector_type fast_distance fast_length fast_normalize float16 float2 float3 float4 float8 format fract
get_default_queue get_enqueued_local_size get_enqueued_num_sub_groups get_fence get_global_id get_global_linear_id
get_global_offset get_global_size get_group_id get_local_id get_local_linear_id get_local_size get_max_sub_group_size
get_num_groups get_num_sub_groups get_sub_group_eq_mask get_sub_group_ge_mask get_sub_group_gt_mask get_sub_group_id
get_sub_group_le_mask get_sub_group_local_id get_sub_group_lt_mask get_sub_group_size get_work_dim hadd half half16
half2 half3 half4 half8 if int16 int2 int3 int4 int8 is_valid_event is_valid_reserve_id isequal isnotequal isordered
kernel_enqueue_flags_t kernel_exec length long16 long2 long3 long4 long8 mad mad24 mad_hi mad_sat max maxmag mem_fence
memory_order memory_order_acq_rel memory_order_acquire memory_order_relaxed memory_order_release memory_order_seq_cst
memory_scope memory_scope_all_devices memory_scope_all_svm_devices memory_scope_device memory_scope_sub_group
memory_scope_work_group memory_scope_work_item min minmag mix mul24 mul_hi ndrange_1D ndrange_2D ndrange_3D normalize
popcount prefetch ptrdiff_t radians read_mem_fence release_event retain_event rhadd rotate set_user_event_status
short16 short2 short3 short4 short8 shuffle shuffle2 sign smoothstep step sub_sat uchar uchar16 uchar2 uchar3 uchar4
uchar8 uint16 uint2 uint3 uint4 uint8 ulong16 ulong2 ulong3 ulong4 ulong8 upsample ushort16 ushort2 ushort3 ushort4
ushort8 vec_type_hint wait_group_events workDimension write_mem_fence
"""
OPENCL_WORDS = frozenset(_OPENCL_WORDS.split())
"""Types, functions and macros of OpenCL C that C_WORDS lacks."""
