package io.margay.servlet.naming;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What is told of statements, and that values are not.
final class StatementTextTest {
    private static String text(String statement) {
        return StatementText.of(statement, "postgresql").text();
    }

    @Test
    void values_areQuestionMarks_andListsAreOne() {
        assertEquals(
                "select * from t where a = ? and b in (?) and c1 = ?",
                text("select *\n\tfrom t  where a = 'it''s' and b in (1, 2.5e-3,0x1F) and c1 = -7")
                        .replace("-?", "?"));
        assertEquals(
                "insert into t (a, b) values (?)",
                text("insert into t (a, b) values ('x', 1), ('y', 2),('z', 3)"));
        assertEquals("select ? from \"T 1\"", text("select $$it's$$ from \"T 1\" -- 'secret'"));
        assertEquals("select E?, $1, a$2 from t", text("select E'a\\'b', $1, a$2 from t"));
        assertEquals("select ?", text("select 'never closed and secret"));
        assertEquals("select ?", text("select \"never closed 12"));
        assertEquals("select a from b", text("select a/* 'c' 4 */from b"));
    }

    @Test
    void mysql_hasItsOwnQuotes() {
        StatementText text =
                StatementText.of("select `a` from t where b = \"x\" or c = 'y\\'z' # 5", "mariadb");
        assertEquals("select `a` from t where b = ? or c = ?", text.text());
    }

    /// Where a database may read a statement in two ways, the rest is taken for a value.
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '~',
            delimiter = '|',
            textBlock =
                    """
                    oracle.db | select a where n = q'[O'Reilly SECRET]' and b = 'SECRET'
                    microsoft.sql_server | select [driver's] from t where a = 'SECRET'
                    postgresql | select /*/ it's */ a from t where b = 'SECRET'
                    postgresql | select /* a /* b */ it's */ a from t where b = 'SECRET'
                    other_sql | select a from t where a = "SECRET"
                    other_sql | select a from t where a = 'it\\'s' and b = 'SECRET'
                    mysql | select a from t where a = 'C:\\' and b = 'SECRET'
                    """)
    void whatDatabasesQuoteOtherwise_isNotTold(String system, String statement) {
        String told = StatementText.of(statement, system).text();
        assertFalse(told.contains("SECRET"), told);
        assertTrue(told.startsWith("select"), told);
    }

    @Test
    void summary_isOperationAndTable() {
        assertEquals("SELECT items", StatementText.of("select * from items", "").summary());
        assertEquals("INSERT a.b", StatementText.of("insert into a.b values (1)", "").summary());
        assertEquals("CREATE t", StatementText.of("create table if not exists t", "").summary());
        assertEquals("CALL f", StatementText.of("{call f(1)}", "").summary());
        assertEquals("SQL", StatementText.of("", "").summary());
    }

    @Test
    void secret_isNeverTold_howeverItIsQuoted() {
        List<String> around =
                List.of(
                        "'%s'",
                        "'a''%s'", "$$%s$$", "$x$%s$x$", "E'\\'%s'", "'%s", "-- %s\n ", "/*%s*/");
        List<String> before =
                List.of("", "select \"q\" from t where a=", "'x'||", "f(1,", "$1 and ");
        Random random = new Random(46);
        for (int i = 0; i < 20_000; i++) {
            StringBuilder statement = new StringBuilder();
            for (int j = random.nextInt(4); j >= 0; j--) {
                statement
                        .append(before.get(random.nextInt(before.size())))
                        .append(around.get(random.nextInt(around.size())).formatted("SECRET"))
                        .append(' ');
                if (statement.indexOf("'SECRET ") >= 0) {
                    break; // What is never closed is the last.
                }
            }
            String told = text(statement.toString());
            assertFalse(told.contains("SECRET"), statement + " as " + told);
        }
    }

    @Test
    void length_isBounded() {
        StatementText text = StatementText.of("select a, ".repeat(100_000), "");
        assertTrue(text.text().length() <= StatementText.CHARS_MAX);
    }
}
