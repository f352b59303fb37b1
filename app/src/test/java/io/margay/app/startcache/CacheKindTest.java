package io.margay.app.startcache;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class CacheKindTest {
    @Test
    void kind_endsTheNameOfItsFile_andIsFoundAgain() {
        Path both = Path.of("/c/margay-12.aot");
        Path gateway = Path.of("/c/margay-12-gateway.aot");
        Path applications = Path.of("/c/margay-12-applications.aot");
        for (Path any : new Path[] {both, gateway, applications}) {
            assertEquals(both, CacheKind.BOTH.beside(any));
            assertEquals(gateway, CacheKind.GATEWAY.beside(any));
            assertEquals(applications, CacheKind.APPLICATIONS.beside(any));
        }
        for (CacheKind kind : CacheKind.values()) {
            assertEquals(kind, CacheKind.of(kind.beside(both)));
            assertEquals(Optional.of(kind), CacheKind.named(kind.toString()));
        }
        assertEquals(Optional.empty(), CacheKind.named("pages"));
    }
}
