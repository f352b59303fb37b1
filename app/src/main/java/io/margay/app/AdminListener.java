package io.margay.app;

import io.margay.app.admin.AdminAccess;
import io.margay.app.admin.AdminHandler;
import io.margay.app.admin.ManagedServer;
import io.margay.app.config.AdminSettings;
import io.margay.app.config.ListenerSettings;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.StartException;
import io.margay.app.config.TransportChoice;
import io.margay.app.console.LogTail;
import io.margay.app.deploy.Managers;
import io.margay.app.upgrade.Inheritance;
import io.margay.server.config.HttpLimits;
import io.margay.server.dispatch.VirtualDispatcher;
import io.margay.server.exchange.MemoryBudget;
import io.margay.server.files.OwnerOnly;
import io.margay.transport.FatalHandler;
import io.margay.transport.TlsConfig;
import io.margay.transport.handover.ListeningSocket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The listener for those who run the server: on a transport of its own, with threads of its own,
/// so that it answers however busy the applications are, and until they have been stopped. Guarded
/// by the lock of [MargayServer].
final class AdminListener implements AutoCloseable {
    private static final String TOKEN_FILE = "admin-token";
    private static final int TOKEN_BYTES = 16;
    private static final int REQUESTS_MAX = 100;

    private final ManagedServer server;
    private final Function<Map<String, String>, String> jmx;
    private final FatalHandler onFatal;
    private @Nullable ListenerSet listeners;
    private @Nullable LogTail log;
    private @Nullable AdminSettings settings;
    private String tokenPlace = "";

    /// @param jmx answers what Tomcat's JMX proxy is asked
    /// @param onFatal what is done when a thread of the listener dies
    AdminListener(
            ManagedServer server, Function<Map<String, String>, String> jmx, FatalHandler onFatal) {
        this.jmx = jmx;
        this.server = server;
        this.onFatal = onFatal;
    }

    /// Opens the listener if the configuration names one.
    ///
    /// @throws StartException when it cannot be opened
    void open(MargayConfig config) {
        open(config, Inheritance.none());
    }

    /// The same, with a socket that may be open already.
    void open(MargayConfig config, Inheritance inherited) {
        AdminSettings wanted = config.admin();
        if (wanted == null) {
            return;
        }
        String token = wanted.token();
        if (token == null) {
            Path file = config.work().resolve(TOKEN_FILE);
            token = kept(file);
            tokenPlace = ", token in " + file;
        } else {
            tokenPlace = "";
        }
        boolean loopback = wanted.endpoint().isLoopback();
        ListenerSettings plain =
                ListenerSettings.http(wanted.endpoint()).withTransport(TransportChoice.BLOCKING);
        TlsConfig tls = wanted.tls();
        AdminAccess access = new AdminAccess(token, Managers.of(config));
        LogTail tail = LogTail.attach();
        log = tail;
        ListenerSet opened =
                new ListenerSet(
                        new AdminHandler(server, tail, jmx, access, loopback, wanted.names()),
                        null,
                        new VirtualDispatcher(REQUESTS_MAX),
                        MemoryBudget.UNBOUNDED,
                        onFatal);
        opened.open(
                List.of(tls == null ? plain : plain.withTls(tls)),
                HttpLimits.defaults(),
                inherited);
        listeners = opened;
        settings = wanted;
    }

    /// The token of the work folder, made when there is none.
    private static String kept(Path file) {
        try {
            if (!Files.exists(file)) {
                byte[] random = new byte[TOKEN_BYTES];
                new SecureRandom().nextBytes(random);
                OwnerOnly.createFile(file);
                Files.writeString(
                        file,
                        HexFormat.of().formatHex(random) + "\n",
                        StandardCharsets.US_ASCII,
                        StandardOpenOption.TRUNCATE_EXISTING);
            }
            String token = Files.readString(file).strip();
            if (token.length() < AdminSettings.TOKEN_CHARS_MIN) {
                throw new StartException(
                        file + " is too short for a token; delete it, and a new one is created");
            }
            return token;
        } catch (IOException e) {
            throw new StartException(
                    "the admin token cannot be saved in " + file + ": " + e.getMessage(), e);
        }
    }

    /// Follows a changed configuration; what cannot be opened is reported, and the rest goes on.
    void reopen(MargayConfig config) {
        AdminSettings wanted = config.admin();
        if (wanted == null ? settings == null : wanted.equals(settings)) {
            return;
        }
        close();
        try {
            open(config);
        } catch (StartException e) {
            System.getLogger(AdminListener.class.getName())
                    .log(System.Logger.Level.ERROR, "admin: {0}", e.getMessage());
        }
    }

    /// The start-up line.
    List<String> lines() {
        ListenerSet open = listeners;
        return open == null
                ? List.of()
                : open.lines().stream()
                        .map(line -> line.replaceFirst(" \\(.*", "") + " (admin" + tokenPlace + ")")
                        .toList();
    }

    /// See [ListenerSet#sockets].
    List<ListeningSocket> sockets() throws IOException {
        ListenerSet open = listeners;
        return open == null ? List.of() : open.sockets();
    }

    /// See [ListenerSet#leaveToOther].
    void leaveToOther() {
        ListenerSet open = listeners;
        if (open != null) {
            open.leaveToOther();
        }
    }

    /// 0 = there is none, or a Unix socket.
    int port() {
        ListenerSet open = listeners;
        return open != null && open.addresses().getFirst() instanceof InetSocketAddress at
                ? at.getPort()
                : 0;
    }

    @Override
    public void close() {
        LogTail tail = log;
        if (tail != null) {
            tail.close();
            log = null;
        }
        ListenerSet open = listeners;
        if (open != null) {
            open.drain(Duration.ofSeconds(1), false);
            open.close();
            listeners = null;
            settings = null;
        }
    }
}
