"""Functions of te that run passes: `create_prim_func` and `decl_tensor_intrin`.

They are above the interfaces of `te`, because they lower tensor expressions to functions of blocks.
"""
