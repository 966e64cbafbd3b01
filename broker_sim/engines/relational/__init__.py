"""Matching inside a database, level by level, with non-recursive SQL: for subscriptions beyond memory.

The paper describes three algorithms for XML publish/subscribe by a relational database, and each has a module here:
`publishing` turns a document into rows, `subscribing` an expression, and `matching` holds the SELECTs of the five
steps in which a document meets all subscriptions at once. What differs between databases (keys, deletes,
transactions, bulk loading) is in `duckdb_store`, `postgresql_store` and `spark_store`, one module each.
"""

from broker_sim.engines.relational.engine import Relational

__all__ = ["Relational"]
