package io.margay.servlet.naming;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.servlet.deploy.AppServer;
import io.margay.servlet.deploy.VendorDescriptors;
import io.margay.testkit.Archives;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.naming.NamingException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Mail sessions, by the Jakarta Mail in the WAR: a letter is sent to a server that asks for the
/// password.
@SuppressWarnings("BanJNDI") // What is tested.
class MailSessionTest {
    private static final String SENDER =
            """
            package p;
            import jakarta.mail.*;
            import jakarta.mail.internet.*;
            import jakarta.servlet.http.*;
            @jakarta.servlet.annotation.WebServlet("/send")
            public class Sender extends HttpServlet {
                @jakarta.annotation.Resource(name = "mail/Session") private Session session;
                protected void doGet(HttpServletRequest q, HttpServletResponse r)
                        throws java.io.IOException {
                    try {
                        MimeMessage letter = new MimeMessage(session);
                        letter.setFrom(new InternetAddress("a@test"));
                        letter.setRecipients(Message.RecipientType.TO, "b@test");
                        letter.setSubject("hello");
                        letter.setText("words");
                        Transport.send(letter);
                        r.getWriter().print("sent");
                    } catch (MessagingException e) {
                        r.getWriter().print(e.toString());
                    }
                }
            }
            """;

    @TempDir Path temp;

    private static Path jarOf(String className) throws Exception {
        return Path.of(
                Class.forName(className)
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI());
    }

    private Archives app() throws Exception {
        Archives app = Archives.in(temp).classes("WEB-INF/classes/", List.of(), "p.Sender", SENDER);
        for (String type :
                List.of(
                        "jakarta.mail.Session",
                        "jakarta.activation.DataSource",
                        "org.eclipse.angus.mail.smtp.SMTPTransport",
                        "org.eclipse.angus.activation.MailcapFile")) {
            Path jar = jarOf(type);
            app.bytes("WEB-INF/lib/" + jar.getFileName(), Files.readAllBytes(jar));
        }
        return app;
    }

    /// The credentials and the letter that one client brings.
    private static String receive(ServerSocket server) {
        StringBuilder told = new StringBuilder();
        try (Socket client = server.accept()) {
            client.setSoTimeout(10_000);
            BufferedReader in =
                    new BufferedReader(
                            new InputStreamReader(
                                    client.getInputStream(), StandardCharsets.US_ASCII));
            OutputStream out = client.getOutputStream();
            say(out, "220 test");
            boolean letter = false;
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                told.append(line).append('\n');
                if (letter) {
                    letter = !line.equals(".");
                    if (!letter) {
                        say(out, "250 ok");
                    }
                } else if (line.startsWith("EHLO")) {
                    say(out, "250-test\r\n250 AUTH PLAIN");
                } else if (line.startsWith("AUTH")) {
                    say(out, "235 ok");
                } else if (line.equals("DATA")) {
                    letter = true;
                    say(out, "354 go on");
                } else {
                    say(out, line.equals("QUIT") ? "221 bye" : "250 ok");
                }
            }
        } catch (IOException e) {
            told.append(e);
        }
        return told.toString();
    }

    private static void say(OutputStream out, String line) throws IOException {
        out.write((line + "\r\n").getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    /// Declares the mail session `mail/Session`.
    private static VendorDescriptors session(
            Map<String, String> properties, @Nullable String user, @Nullable String password) {
        ResourceSpec spec = new ResourceSpec.Mail(properties, user, password);
        return new DeclaredNames(names -> names.resource("mail/Session", spec, "here"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void letter_isSentWithThePassword(boolean byDescriptor) throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            server.setSoTimeout(20_000);
            String port = String.valueOf(server.getLocalPort());
            Archives app = app();
            VendorDescriptors declared = VendorDescriptors.NONE;
            if (byDescriptor) {
                app.text(
                        "WEB-INF/web.xml",
                        "<web-app version='6.1'><mail-session><name>java:comp/env/mail/Session"
                                + "</name><transport-protocol>smtp</transport-protocol>"
                                + "<host>127.0.0.1</host><user>ada</user><password>secret"
                                + "</password><property><name>mail.smtp.port</name><value>"
                                + port
                                + "</value></property><property><name>mail.smtp.auth</name><value>"
                                + "true</value></property></mail-session></web-app>");
            } else {
                declared =
                        session(
                                Map.of(
                                        "mail.smtp.host", "127.0.0.1",
                                        "mail.smtp.port", port,
                                        "mail.smtp.auth", "true",
                                        "mail.smtp.user", "ada"),
                                "ada",
                                "secret");
            }
            CompletableFuture<String> received =
                    CompletableFuture.supplyAsync(() -> receive(server));
            VendorDescriptors vendor = declared;
            try (AppServer deployed =
                    AppServer.start(
                            app.to(temp.resolve("m.war")),
                            "/m",
                            temp.resolve("work"),
                            settings -> settings.withVendor(vendor))) {
                assertEquals("sent", deployed.get("/send").body());
            }
            String told = received.get(20, TimeUnit.SECONDS);
            // Base64 of NUL ada NUL secret.
            assertTrue(told.contains("AGFkYQBzZWNyZXQ="), told);
            assertTrue(told.contains("Subject: hello"), told);
        }
    }

    @Test
    void session_withoutALibrary_saysWhatIsMissing() {
        Archives app = Archives.in(temp).text("index.html", "here");
        try (AppServer server =
                AppServer.start(
                        app.to(temp.resolve("n.war")),
                        "/n",
                        temp.resolve("work"),
                        settings ->
                                settings.withResources(
                                                ServerResources.none(
                                                        ClassLoader.getPlatformClassLoader()))
                                        .withVendor(session(Map.of(), null, null)))) {
            Naming names = Naming.of(server.deployment().webApp().context().getClassLoader());
            String message =
                    assertThrows(
                                    NamingException.class,
                                    () -> names.lookup("java:comp/env/mail/Session"))
                            .getMessage();
            assertTrue(message.contains("class jakarta.mail.Session is not there"), message);
            assertTrue(message.contains("WEB-INF/lib"), message);
        }
    }
}
