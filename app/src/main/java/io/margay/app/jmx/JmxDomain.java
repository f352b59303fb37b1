package io.margay.app.jmx;

import io.margay.app.admin.ManagedServer;
import io.margay.app.config.JmxMode;
import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/// The MBeans of a server, in the domain `Catalina`; in `Catalina-1` and so on where another server
/// of the same JVM has that. Thread-safe; `lock` guards which are registered.
///
/// An MBean server costs time and memory, so that none is made unless it is wanted. One that others
/// make, be it long after the start, is found by the next [#follow].
public final class JmxDomain implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(JmxDomain.class.getName());
    private static final String DOMAIN = "Catalina";
    private static final String REMOTE = "com.sun.management.jmxremote";

    /// Servers of one JVM.
    private static final int DOMAINS_MAX = 100;

    private final CatalinaBeans beans;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, ObjectName> registered = new HashMap<>();
    private @Nullable String domain;
    private JmxMode mode = JmxMode.AUTO;
    private boolean closed;

    public JmxDomain(ManagedServer server) {
        beans = new CatalinaBeans(server);
    }

    /// Registers what there is and is not registered, and takes away what there is no longer.
    public void follow(JmxMode wanted) {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            mode = wanted;
            if (isWanted(mode)) {
                register(ManagementFactory.getPlatformMBeanServer());
            } else {
                unregisterAll();
            }
        } catch (JMException | SecurityException e) {
            LOG.log(Level.WARNING, "JMX shows not all of the server: {0}", e.toString());
        } finally {
            lock.unlock();
        }
    }

    /// Answers a question of Tomcat's JMX proxy. Who asks wants an MBean server, unless the
    /// configuration wants none.
    ///
    /// @param parameters of the request
    public String ask(Map<String, String> parameters) {
        lock.lock();
        try {
            if (closed || mode == JmxMode.OFF) {
                return "Error - JMX is off (jmx: off)\n";
            }
            register(ManagementFactory.getPlatformMBeanServer());
        } catch (JMException | SecurityException e) {
            return "Error - " + e + "\n";
        } finally {
            lock.unlock();
        }
        return JmxProxy.answer(ManagementFactory.getPlatformMBeanServer(), parameters);
    }

    private static boolean isWanted(JmxMode mode) {
        return switch (mode) {
            case ON -> true;
            case OFF -> false;
            case AUTO ->
                    System.getProperties().keySet().stream() // No copy: asked every two seconds.
                                    .anyMatch(name -> String.valueOf(name).startsWith(REMOTE))
                            || !MBeanServerFactory.findMBeanServer(null).isEmpty();
        };
    }

    private void register(MBeanServer mbeans) throws JMException {
        if (domain == null) {
            domain = claim(mbeans);
        }
        Map<String, ReadOnlyBean<?>> wanted = beans.all();
        Set<String> gone = new HashSet<>(registered.keySet());
        gone.removeAll(wanted.keySet());
        gone.remove(CatalinaBeans.SERVER);
        for (String name : gone) {
            unregister(mbeans, Objects.requireNonNull(registered.remove(name)));
        }
        for (Map.Entry<String, ReadOnlyBean<?>> bean : wanted.entrySet()) {
            if (!registered.containsKey(bean.getKey())) {
                ObjectName name = new ObjectName(domain + ":" + bean.getKey());
                mbeans.registerMBean(bean.getValue(), name);
                registered.put(bean.getKey(), name);
            }
        }
    }

    /// Finds a domain of this server's own: whose MBean of the server could be registered.
    private String claim(MBeanServer mbeans) throws JMException {
        for (int i = 0; i < DOMAINS_MAX; i++) {
            String own = i == 0 ? DOMAIN : DOMAIN + "-" + i;
            ObjectName name = new ObjectName(own + ":" + CatalinaBeans.SERVER);
            try {
                mbeans.registerMBean(beans.server(), name);
                registered.put(CatalinaBeans.SERVER, name);
                return own;
            } catch (InstanceAlreadyExistsException e) {
                LOG.log(Level.DEBUG, "another server has it", e);
            }
        }
        throw new InstanceAlreadyExistsException("there are " + DOMAINS_MAX + " servers already");
    }

    private static void unregister(MBeanServer mbeans, ObjectName name) throws JMException {
        try {
            mbeans.unregisterMBean(name);
        } catch (InstanceNotFoundException e) {
            LOG.log(Level.DEBUG, "another program has removed it", e);
        }
    }

    private void unregisterAll() throws JMException {
        if (registered.isEmpty()) {
            return;
        }
        MBeanServer mbeans = ManagementFactory.getPlatformMBeanServer();
        for (ObjectName name : registered.values()) {
            unregister(mbeans, name);
        }
        registered.clear();
        domain = null;
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            unregisterAll();
        } catch (JMException | SecurityException e) {
            LOG.log(Level.DEBUG, "MBeans stay registered", e);
        } finally {
            lock.unlock();
        }
    }
}
