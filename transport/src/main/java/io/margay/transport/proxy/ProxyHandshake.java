package io.margay.transport.proxy;

import io.margay.transport.Connection;
import io.margay.transport.ConnectionHandler;
import io.margay.transport.ProxyHeader;
import io.margay.transport.ProxyProtocol;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.function.LongSupplier;

/// The handler of a connection until the header of the PROXY protocol has come; then the connection
/// is the client's, and speaks TLS or a protocol. Confined to the connection's loop thread.
public final class ProxyHandshake implements ConnectionHandler {
    private static final System.Logger LOG = System.getLogger("io.margay.transport");

    private final Connection raw;
    private final ConnectionHandler.Factory handlers;
    private final ProxyDecoder decoder;
    private final ProxyRefusals refusals;

    private ProxyHandshake(
            Connection raw,
            ConnectionHandler.Factory handlers,
            ProxyProtocol how,
            ProxyRefusals refusals) {
        this.raw = raw;
        this.handlers = handlers;
        this.refusals = refusals;
        this.decoder = new ProxyDecoder(how.limits().headerBytesMax());
    }

    /// Puts the header before what the handlers speak.
    ///
    /// @param nanos the clock, as [Connection#deadline] counts
    /// @param refusals told of connections that are reset
    public static ConnectionHandler.Factory before(
            ProxyProtocol how,
            ConnectionHandler.Factory handlers,
            LongSupplier nanos,
            ProxyRefusals refusals) {
        long timeout = how.limits().headerTimeout().toNanos();
        return raw -> {
            if (how.exempt().test(raw.remote())) {
                return handlers.accept(raw);
            }
            ProxyHandshake made = new ProxyHandshake(raw, handlers, how, refusals);
            if (how.trusted().test(raw.remote())) {
                raw.deadline(nanos.getAsLong() + timeout);
                raw.interest(Connection.READ);
            } else {
                made.refuse("it is not a trusted address");
            }
            return made;
        };
    }

    @Override
    public void onReadable() {
        try {
            while (decoder.missing() > 0) {
                int n = raw.read(decoder.bytes(), decoder.length(), decoder.missing());
                if (n == 0) {
                    return;
                }
                if (n < 0) {
                    LOG.log(Level.DEBUG, () -> raw.remote() + " left before its PROXY header");
                    raw.close();
                    return;
                }
                String wrong = decoder.took(n);
                if (wrong != null) {
                    refuse(wrong);
                    return;
                }
            }
        } catch (IOException e) {
            LOG.log(Level.DEBUG, () -> "no PROXY header of " + raw.remote() + ": " + e);
            raw.close();
            return;
        }
        begin(decoder.header());
    }

    private void begin(ProxyHeader header) {
        raw.deadline(Connection.NEVER);
        raw.interest(0);
        if (raw.standsFor(header)) {
            raw.handler(handlers.accept(raw));
        } else {
            raw.reset();
        }
    }

    private void refuse(String why) {
        refusals.add(raw.remote(), why);
        raw.reset();
    }

    @Override
    public void onWritable() {
        // Nothing is written.
    }

    @Override
    public void onDeadline() {
        refuse("its header took too long");
    }

    @Override
    public void onClosed() {
        // Nothing is held.
    }
}
