"""C and OpenCL C source of executable loop IR, and programs compiled from it by the system's C compiler.

The source is written for readers: loops keep their names, accesses their indices, and a value with one use is inlined
there. Vectors become loops over their lanes, which is portable C99; default schedules for the target "c" do not
vectorize.
"""
