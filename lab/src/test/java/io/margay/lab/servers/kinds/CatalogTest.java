package io.margay.lab.servers.kinds;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.lab.servers.Feature;
import io.margay.lab.servers.ServerSpec;
import java.util.HashSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CatalogTest {
    private static final Catalog CATALOG = Catalog.all();

    @Test
    void catalog_hasNoNameTwice() {
        assertEquals(CATALOG.names().size(), new HashSet<>(CATALOG.names()).size());
    }

    @Test
    void server_withoutFront_isItself() {
        ServerSpec spec = CATALOG.spec("tomcat:nio");
        assertEquals("Tomcat 11, NIO", spec.title());
        assertTrue(spec.features().contains(Feature.JSP));
    }

    @Test
    void kindAlone_isItsFirstVariant() {
        assertEquals("margay:native", CATALOG.spec("margay").front().name());
    }

    @ParameterizedTest
    @CsvSource({
        "tomcat:nia, tomcat:nio",
        "margay:nativ, margay:native",
        "tomcat:nio/margay:nio, hands no requests on",
        "quite-another, there are margay:native"
    })
    void wrongName_isAnsweredWithWhatIsNear(String name, String hint) {
        var e = assertThrows(IllegalArgumentException.class, () -> CATALOG.spec(name));
        assertTrue(String.valueOf(e.getMessage()).contains(hint), e.getMessage());
    }
}
