package io.margay.servlet.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoadBalancerDrainingTest {
    @ParameterizedTest
    @CsvSource({
        "/a/b, /a/b",
        "//evil.example/x, /evil.example/x",
        "/\\evil.example/x, /evil.example/x",
        "\\/\\/evil.example, /evil.example",
        "/;jsessionid=1/evil.example, /evil.example",
        "/;jsessionid=1\\evil.example, /",
        "/a;jsessionid=1;x=y/b, /a;x=y/b",
    })
    void place_whereAClientIsSentOn_isOnThisHost_cve2026_117517(String uri, String place) {
        assertEquals(place, LoadBalancerDraining.place(uri, "jsessionid"));
    }
}
