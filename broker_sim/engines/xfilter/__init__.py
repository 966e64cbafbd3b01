"""XFilter: one state machine for each path, all of them behind an index of element names (the XTrie paper's baseline).

The XTrie paper describes it in sections 1, 5 and 6: each path is a finite automaton, the automata are indexed by single
element names in a hash table, and all instances of partially matched paths are kept. `machines` holds the automata,
`run` takes a document through them, `engine` puts them behind the protocol of all engines.
"""
