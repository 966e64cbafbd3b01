"""XPath-aware chunking: rewrite by schema, cut a document into fragments, ask each query set of its own fragment."""
