/// Keeps sessions in a database: PostgreSQL, MariaDB, H2, and others that speak the same SQL.
@NullMarked
package io.margay.servlet.session.jdbc;

import org.jspecify.annotations.NullMarked;
