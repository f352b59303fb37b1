package io.margay.servlet.websocket;

import io.margay.testkit.Archives;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The application that the tests of this package deploy.
final class Endpoints {
    private static final String ECHO =
            """
            package app;
            import jakarta.websocket.*;
            import jakarta.websocket.server.*;
            import java.io.IOException;
            import java.nio.ByteBuffer;
            @ServerEndpoint(value = "/echo/{name}", subprotocols = "speech")
            public class Echo {
                static final java.util.concurrent.BlockingQueue<String> CLOSED =
                        new java.util.concurrent.LinkedBlockingQueue<>();
                @OnOpen public void open(Session s) {
                    s.setMaxTextMessageBufferSize(4 << 20);
                    s.setMaxBinaryMessageBufferSize(4 << 20);
                }
                @OnMessage(maxMessageSize = 4 << 20)
                public String text(String text, @PathParam("name") String name, Session s)
                        throws IOException {
                    switch (text) {
                        case "close": s.close(new CloseReason(
                                CloseReason.CloseCodes.getCloseCode(4001), "as asked"));
                        return null;
                        case "idle": s.setMaxIdleTimeout(200); return "idling";
                        case "fail": throw new IllegalStateException("as asked");
                        case "who": return name + " " + s.getNegotiatedSubprotocol()
                                + " " + s.getRequestURI().getPath() + " " + s.getQueryString();
                        case "closed": try { return CLOSED.poll(10,
                                java.util.concurrent.TimeUnit.SECONDS); }
                                catch (InterruptedException e) { return "interrupted"; }
                        case "twice": s.getBasicRemote().sendText("one"); return "two";
                        default: return text;
                    }
                }
                @OnMessage(maxMessageSize = 4 << 20)
                public ByteBuffer bytes(ByteBuffer bytes) { return bytes; }
                @OnError public void error(Session s, Throwable t) throws IOException {
                    if (s.isOpen()) { s.getBasicRemote().sendText("error " + t.getMessage()); }
                }
                @OnClose public void close(CloseReason r) {
                    CLOSED.add(r.getCloseCode().getCode() + " " + r.getReasonPhrase());
                }
            }
            """;

    private static final String ROOM =
            """
            package app;
            import jakarta.websocket.*;
            import jakarta.websocket.server.*;
            import java.util.concurrent.*;
            @ServerEndpoint("/room")
            public class Room {
                static final java.util.Set<Session> ALL = ConcurrentHashMap.newKeySet();
                @OnOpen public void open(Session s) {
                    ALL.add(s); s.getAsyncRemote().sendText("in"); }
                @OnMessage public void say(String text) {
                    if (text.startsWith("flood ")) {
                        String much = "x".repeat(10_000);
                        for (int i = Integer.parseInt(text.substring(6)); i > 0; i--) {
                            tell(much);
                        }
                    }
                    Thread.ofPlatform().start(() -> tell(text));
                }
                private static void tell(String text) {
                    for (Session s : ALL) {
                        try {
                            s.getAsyncRemote().sendText(text);
                        } catch (RuntimeException e) {
                            ALL.remove(s);
                        }
                    }
                }
                @OnClose public void close(Session s) { ALL.remove(s); }
            }
            """;

    private static final String SESSION =
            """
            package app;
            import jakarta.servlet.http.HttpSession;
            import jakarta.websocket.*;
            import jakarta.websocket.server.*;
            @ServerEndpoint(value = "/session", configurator = WithSession.Config.class)
            public class WithSession {
                public static class Config extends ServerEndpointConfig.Configurator {
                    @Override public void modifyHandshake(ServerEndpointConfig c,
                            HandshakeRequest q, HandshakeResponse p) {
                        HttpSession s = (HttpSession) q.getHttpSession();
                        c.getUserProperties().put("session",
                                s == null ? "none" : s.getAttribute("x"));
                        p.getHeaders().put("X-Seen", java.util.List.of("yes"));
                    }
                }
                @OnOpen public void open(Session s, EndpointConfig c) throws Exception {
                    s.getBasicRemote().sendText(c.getUserProperties().get("session")
                            + " " + (s.getUserPrincipal() == null ? "nobody"
                            : s.getUserPrincipal().getName()));
                }
            }
            """;

    private static final String FAILING =
            """
            package app;
            import jakarta.websocket.*;
            import jakarta.websocket.server.*;
            @ServerEndpoint("/failing")
            public class Failing {
                @OnOpen public void open(Session s) { throw new IllegalStateException("open"); }
                @OnError public void error(Session s, Throwable t) {
                    Echo.CLOSED.add(t.getMessage() + " " + s.isOpen());
                }
                @OnClose public void close(CloseReason r) {
                    Echo.CLOSED.add("" + r.getCloseCode().getCode());
                }
            }
            """;

    private static final String PROGRAM =
            """
            package app;
            import jakarta.servlet.*;
            import jakarta.servlet.annotation.*;
            import jakarta.servlet.http.*;
            import jakarta.websocket.*;
            import jakarta.websocket.server.*;
            @WebListener
            public class Program implements ServletContextListener {
                public static class Upper extends Endpoint implements MessageHandler.Whole<String> {
                    private Session session;
                    @Override public void onOpen(Session s, EndpointConfig c) {
                        session = s; s.addMessageHandler(this);
                    }
                    @Override public void onMessage(String text) {
                        session.getAsyncRemote().sendText(text.toUpperCase());
                    }
                }
                @WebServlet("/by-hand/*") public static class ByHand extends HttpServlet {
                    @Override protected void doGet(HttpServletRequest q, HttpServletResponse p)
                            throws java.io.IOException, ServletException {
                        q.getSession().setAttribute("x", "kept");
                        if ("/client".equals(q.getPathInfo())) { client(q, p); return; }
                        if ("/login".equals(q.getPathInfo())) { q.login("ada", "secret"); return; }
                        if ("/leave".equals(q.getPathInfo())) {
                            q.getSession().invalidate(); return;
                        }
                        if (q.getHeader("Upgrade") == null) { p.getWriter().print("page"); return; }
                        ServerContainer c = (ServerContainer) getServletContext()
                                .getAttribute(ServerContainer.class.getName());
                        try {
                            if ("/other".equals(q.getPathInfo())) {
                                c.upgradeHttpToWebSocket(q, p, ServerEndpointConfig.Builder
                                        .create(Echo.class, "/echo/{name}").build(),
                                        java.util.Map.of("name", "a b"));
                                return;
                            }
                            c.upgradeHttpToWebSocket(q, p, ServerEndpointConfig.Builder
                                    .create(Upper.class, "/by-hand/{x}").build(),
                                    java.util.Map.of("x", "1"));
                        } catch (DeploymentException e) { throw new ServletException(e); }
                    }
                }
                @ClientEndpoint public static class Caller {
                    final java.util.concurrent.BlockingQueue<String> heard =
                            new java.util.concurrent.LinkedBlockingQueue<>();
                    @OnMessage public void hear(String text) { heard.add(text); }
                }
                static void client(HttpServletRequest q, HttpServletResponse p)
                        throws java.io.IOException, ServletException {
                    Caller caller = new Caller();
                    try (Session s = ContainerProvider.getWebSocketContainer().connectToServer(
                            caller, java.net.URI.create("ws://127.0.0.1:" + q.getLocalPort()
                                    + q.getContextPath() + "/upper"))) {
                        s.getBasicRemote().sendText("asked");
                        p.getWriter().print(caller.heard.poll(
                                10, java.util.concurrent.TimeUnit.SECONDS));
                    } catch (DeploymentException | InterruptedException e) {
                        throw new ServletException(e);
                    }
                }
                @Override public void contextInitialized(ServletContextEvent e) {
                    ServerContainer c = (ServerContainer) e.getServletContext()
                            .getAttribute(ServerContainer.class.getName());
                    try {
                        c.addEndpoint(ServerEndpointConfig.Builder
                                .create(Upper.class, "/upper").build());
                    } catch (DeploymentException x) { throw new IllegalStateException(x); }
                }
            }
            """;

    private Endpoints() {}

    /// Builds the application.
    static Path war(Path folder) {
        return archive(folder).to(folder.resolve("ws.war"));
    }

    /// The application where `/echo/` is for nobody, with an endpoint of two variables below it.
    static Path warWithAConstraint(Path folder) {
        String hall =
                """
                package app;
                @jakarta.websocket.server.ServerEndpoint("/echo/{door}/{word}")
                public class Hall {}
                """;
        return archive(folder)
                .classes("WEB-INF/classes/", List.of(), "app.Hall", hall)
                .text(
                        "WEB-INF/web.xml",
                        """
                        <web-app version="6.1">
                        <security-constraint><web-resource-collection>
                        <web-resource-name>echo</web-resource-name>
                        <url-pattern>/echo/*</url-pattern></web-resource-collection>
                        <auth-constraint/></security-constraint>
                        </web-app>
                        """)
                .to(folder.resolve("constrained.war"));
    }

    /// The application with what it would bring if it were made for a container without WebSocket.
    static Path warWithTyrus(Path folder) {
        Archives archive = archive(folder);
        for (String entry :
                System.getProperty("java.class.path").split(System.getProperty("path.separator"))) {
            String name = Path.of(entry).getFileName().toString();
            if (name.startsWith("tyrus-") || name.startsWith("jakarta.websocket-")) {
                try {
                    archive.bytes("WEB-INF/lib/" + name, Files.readAllBytes(Path.of(entry)));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
        byte[] initializers =
                Archives.in(folder)
                        .text(
                                "META-INF/services/jakarta.servlet.ServletContainerInitializer",
                                """
                                org.glassfish.tyrus.servlet.TyrusServletContainerInitializer
                                org.apache.tomcat.websocket.server.WsSci
                                """)
                        .toBytes();
        return archive.bytes("WEB-INF/lib/a.jar", initializers).to(folder.resolve("own.war"));
    }

    private static Archives archive(Path folder) {
        return Archives.in(folder)
                .classes(
                        "WEB-INF/classes/",
                        List.of(),
                        "app.Echo",
                        ECHO,
                        "app.Room",
                        ROOM,
                        "app.WithSession",
                        SESSION,
                        "app.Failing",
                        FAILING,
                        "app.Program",
                        PROGRAM)
                .text("index.html", "hello")
                .text(
                        "WEB-INF/web.xml",
                        """
                        <web-app version="6.1">
                        <login-config><auth-method>BASIC</auth-method></login-config>
                        </web-app>
                        """);
    }
}
