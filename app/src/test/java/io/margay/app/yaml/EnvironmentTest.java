package io.margay.app.yaml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class EnvironmentTest {
    private final Environment environment =
            new Environment(Map.of("PORT", "8081", "EMPTY", "", "TRICK", "${PORT}"));

    @Test
    void variable_thatIsSet_isPutIn() {
        assertEquals("0.0.0.0:8081", environment.expand("0.0.0.0:${PORT}"));
        assertEquals("8081-8081", environment.expand("${PORT}-${PORT}"));
    }

    @Test
    void variable_thatIsNotSet_takesItsDefault() {
        assertEquals("x", environment.expand("${NONE:-x}"));
        assertEquals("", environment.expand("${NONE:-}"));
        assertEquals("x", environment.expand("${EMPTY:-x}"));
        assertEquals("8081", environment.expand("${PORT:-x}"));
    }

    @Test
    void variable_withoutValueAndDefault_isNamed() {
        Exception e =
                assertThrows(
                        IllegalArgumentException.class, () -> environment.expand("a ${SECRET} b"));
        assertTrue(String.valueOf(e.getMessage()).contains("SECRET"), e.getMessage());
    }

    @Test
    void reference_thatIsMalformed_isRefused() {
        for (String text : new String[] {"${PORT", "${}", "${A B}", "${1A}", "${:-x}"}) {
            assertThrows(IllegalArgumentException.class, () -> environment.expand(text), text);
        }
    }

    @Test
    void reference_afterDoubleDollar_staysAsItIs() {
        assertEquals("a${PORT}", environment.expand("a$${PORT}"));
        assertEquals("$5 {x}", environment.expand("$5 {x}"));
    }

    @Test
    void value_thatLooksLikeReference_isNotExpandedAgain() {
        assertEquals("${PORT}", environment.expand("${TRICK}"));
    }
}
