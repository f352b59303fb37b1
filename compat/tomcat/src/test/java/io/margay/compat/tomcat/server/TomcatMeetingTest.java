package io.margay.compat.tomcat.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.compat.account.Meeting;
import io.margay.compat.account.Place;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Requests meet the files of their application, and those of the server.
final class TomcatMeetingTest {
    private static final Place SERVER = new Place("/var/lib/tomcat9/conf/server.xml", 22);
    private static final Place SETENV = new Place("/var/lib/tomcat9/bin/setenv.sh", 1);
    private static final Place SHOP =
            new Place("/var/lib/tomcat9/conf/Catalina/localhost/shop.xml", 3);
    private static final Place INNER =
            new Place("/var/lib/tomcat9/conf/Catalina/localhost/shop#admin##2.xml", 3);
    private static final Place WEB =
            new Place("/var/lib/tomcat9/webapps/blog/META-INF/context.xml", 1);
    private static final Place ROOT =
            new Place("/var/lib/tomcat9/webapps/ROOT.war!/META-INF/context.xml", 1);

    private final Meeting meeting =
            new TomcatMeeting(List.of(SERVER, SETENV, SHOP, INNER, WEB, ROOT), List.of());

    @Test
    void request_meetsItsApplication() {
        assertEquals(Set.of(SERVER, SHOP), meeting.of("a", "/shop/list"));
        assertEquals(Set.of(SERVER, INNER), meeting.of("a", "/shop/admin/"));
        assertEquals(Set.of(SERVER, WEB), meeting.of("", "/blog"));
        assertEquals(Set.of(SERVER, ROOT), meeting.of("", "/shopping"));
    }

    @Test
    void applications_thatNoFileIsAbout_areExamplesAsWell(@TempDir Path folder) throws Exception {
        Files.createDirectories(folder.resolve("docs"));
        Files.createDirectories(folder.resolve("ROOT"));
        Files.writeString(folder.resolve("a#b##2.war"), "");
        Files.writeString(folder.resolve("notes.txt"), "");
        List<Path> folders = List.of(folder, folder.resolve("none"));
        assertEquals(
                List.of("/", "/a/b/", "/docs/"),
                new TomcatMeeting(List.of(SERVER), folders)
                        .examples().stream().map(Meeting.Example::path).toList());
    }

    @Test
    void filesOfTheProcess_areMetByNobody() {
        assertFalse(meeting.isOfRequests(SETENV));
        assertTrue(meeting.isOfRequests(SERVER));
        assertEquals(
                List.of("/", "/blog/", "/shop/", "/shop/admin/"),
                meeting.examples().stream().map(Meeting.Example::path).toList());
    }
}
