package io.margay.members.dns;

import io.margay.gateway.discovery.NameAnswer;
import io.margay.gateway.discovery.NameAnswer.Entry;
import io.margay.gateway.discovery.NameService;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.AAAARecord;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.ExtendedResolver;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.PTRRecord;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Resolver;
import org.xbill.DNS.ResolverConfig;
import org.xbill.DNS.ReverseMap;
import org.xbill.DNS.SRVRecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.SimpleResolver;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;

/// Asks the servers of the DNS by UDP, and by TCP what is too long for it. Nothing is cached here:
/// who asks knows how long an answer holds. Used by one thread, which waits.
final class DnsNameService implements NameService {
    private final List<InetSocketAddress> servers;
    private final DnsLimits limits;
    private @Nullable Resolver resolver;

    DnsNameService(List<InetSocketAddress> servers, DnsLimits limits) {
        this.servers = List.copyOf(servers);
        this.limits = limits;
    }

    @Override
    public NameAnswer addresses(String name, boolean ipv6) {
        return ask(name, ipv6 ? Type.AAAA : Type.A);
    }

    @Override
    public NameAnswer services(String name) {
        return ask(name, Type.SRV);
    }

    @Override
    public NameAnswer names(InetAddress address) {
        return ask(ReverseMap.fromAddress(address).toString(), Type.PTR);
    }

    private NameAnswer ask(String text, int type) {
        try {
            return follow(Name.fromString(text, Name.root), type);
        } catch (TextParseException e) {
            return new NameAnswer.Absent(text + " is not a name of the DNS: " + e.getMessage());
        } catch (IOException e) {
            resolver = null; // The system's servers may be others by now.
            String why = e.getMessage();
            return failed(text, type, why == null ? e.toString() : why, false);
        }
    }

    /// Asks, and follows aliases: those within an answer, and those that it ends with.
    private NameAnswer follow(Name first, int type) throws IOException {
        Name name = first;
        long ttl = Long.MAX_VALUE;
        Message response = ask(name, type);
        boolean fresh = true;
        for (int aliases = 0; aliases <= limits.aliasesMax(); aliases++) {
            List<Entry> entries = new ArrayList<>();
            CNAMERecord alias = null;
            for (Record each : response.getSection(Section.ANSWER)) {
                if (!each.getName().equals(name)) {
                    continue;
                }
                if (each.getType() == type) {
                    entries.add(entry(each));
                    ttl = Math.min(ttl, each.getTTL());
                } else if (each instanceof CNAMERecord found) {
                    alias = found;
                }
            }
            if (!entries.isEmpty()) {
                return new NameAnswer.Entries(entries, Duration.ofSeconds(ttl));
            }
            int code = response.getRcode();
            if (alias != null) {
                ttl = Math.min(ttl, alias.getTTL());
                name = alias.getTarget();
                fresh = false;
            } else if (code == Rcode.NXDOMAIN) {
                return new NameAnswer.Absent("there is no name " + name);
            } else if (code != Rcode.NOERROR) {
                return failed(first.toString(), type, Rcode.string(code), code == Rcode.REFUSED);
            } else if (fresh) {
                return new NameAnswer.Absent(name + " has no " + Type.string(type) + " record");
            } else {
                response = ask(name, type);
                fresh = true;
            }
        }
        return failed(first.toString(), type, "too many aliases", false);
    }

    private static NameAnswer failed(String name, int type, String why, boolean refused) {
        return new NameAnswer.Failed(
                "the DNS does not tell " + Type.string(type) + " of " + name + ": " + why, refused);
    }

    private static Entry entry(Record one) {
        return switch (one) {
            case ARecord a -> new Entry(a.getAddress().getHostAddress(), 0, 0, 0);
            case AAAARecord a -> new Entry(a.getAddress().getHostAddress(), 0, 0, 0);
            case PTRRecord pointer -> new Entry(pointer.getTarget().toString(), 0, 0, 0);
            case SRVRecord service ->
                    new Entry(
                            service.getTarget().toString(),
                            service.getPort(),
                            service.getPriority(),
                            service.getWeight());
            default -> throw new IllegalStateException(one.toString());
        };
    }

    private Message ask(Name name, int type) throws IOException {
        Resolver known = resolver;
        if (known == null) {
            known = open();
            resolver = known;
        }
        return known.send(Message.newQuery(Record.newRecord(name, type, DClass.IN)));
    }

    private Resolver open() throws IOException {
        List<InetSocketAddress> all = servers;
        if (all.isEmpty()) {
            ResolverConfig.refresh();
            all = ResolverConfig.getCurrentConfig().servers();
        }
        if (all.isEmpty()) {
            throw new IOException("this system names no server of the DNS");
        }
        List<Resolver> each = new ArrayList<>();
        for (InetSocketAddress server : all) {
            Resolver one = new SimpleResolver(server);
            one.setTimeout(limits.timeout());
            each.add(one);
        }
        ExtendedResolver made = new ExtendedResolver(each);
        made.setRetries(limits.attempts());
        made.setTimeout(limits.timeout().multipliedBy((long) limits.attempts() * all.size()));
        return made;
    }
}
