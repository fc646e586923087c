= -q_--null_--list-format_find_--files-from_tree.find_--root_tree_map:tree%2Fsrc%2Fmain.c
