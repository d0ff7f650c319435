"""Functions of te that run passes: `create_prim_func` and `decl_tensor_intrin`."""
