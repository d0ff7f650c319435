"""C and OpenCL C source of executable loop IR, and programs compiled from it by the system's C compiler.

The source is meant to be read: loops keep their names, accesses their indices, a value that is used once stands where
it is used. Vectors become loops over their lanes, which is C99 on any machine; schedules for the target "c" make none.
"""
