package io.margay.compat.tomcat.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.server.log.LogFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The letters of Tomcat's access log, by its configuration reference of 9.0, 10.1 and 11.
class AccessPatternTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            quoteCharacter = '`',
            textBlock =
                    """
                    common ! common ! common
                    combined ! combined ! combined
                    %a %A %h %l %u ! %a %A %h %l %u ! %a %A %h %l %u
                    "%r" %s %b %B %H %m %p ! "%r" %s %b %B %H %m %p ! "%r" %s %b %B %H %m %p
                    %q %v %X %t ! %q %v %X %t ! %q %v %X %t
                    %D ! %{ms}T ! %D
                    %T ! %{s.ms}T ! %T
                    %{us}T %{ns}T %{fracsec}T ! %{us}T %{ns}T %{s.us}T ! %{us}T %{ns}T %{s.us}T
                    %S %I ! %{SESSION_ID}x %{THREAD}x ! %{SESSION_ID}x %{THREAD}x
                    %F ! %{HEAD_MS}x ! %{HEAD_MS}x
                    %U ! %{REQUEST_PATH}x ! %{REQUEST_PATH}x
                    %{User-Agent}i %{Vary}o ! %{User-Agent}i %{Vary}o ! %{User-Agent}i %{Vary}o
                    %{JSESSIONID}c ! %{JSESSIONID}C ! %{JSESSIONID}C
                    %{user.id}r ! %{REQUEST:user.id}x ! %{REQUEST:user.id}x
                    %{cart}s ! %{SESSION:cart}x ! %{SESSION:cart}x
                    %{c}L ! %{CONNECTION_ID}x ! %{CONNECTION_ID}x
                    %{peer}a %{remote}a ! %{c}a %a ! %{c}a %a
                    %{local}p %{remote}p ! %{local}p %{remote}p ! %{local}p %{remote}p
                    %{yyyy-MM-dd}t ! %{end:java:yyyy-MM-dd}t ! %{end:java:yyyy-MM-dd}t
                    %{begin:HH:mm}t ! %{begin:java:HH:mm}t ! %{begin:java:HH:mm}t
                    %{end:msec}t %{sec}t ! %{end:msec}t %{end:sec}t ! %{end:msec}t %{end:sec}t
                    100%% \\n ! 100%% \\\\n ! 100%% \\\\n
                    """)
    void pattern_isReadAsByTomcat(String pattern, String nine, String since) {
        AccessPattern old = AccessPattern.of(pattern, true);
        AccessPattern now = AccessPattern.of(pattern, false);
        assertEquals(nine, old.format());
        assertEquals(since, now.format());
        assertEquals(List.of(), now.unknown());
        LogFormat read = LogFormat.of(now.format());
        assertEquals(now.format().contains("SESSION_ID"), read.asks().contains("SESSION_ID"));
    }

    @Test
    void letters_unknownToTomcat_areWrittenAsByIt_andNamed() {
        AccessPattern read = AccessPattern.of("%h %Q %{x}Q", false);
        assertEquals("%h ???Q??? ???", read.format());
        assertEquals(List.of("%Q", "%{x}Q"), read.unknown());
        assertFalse(read.byVersion());
        assertTrue(AccessPattern.of("%D", false).byVersion());
    }
}
