package io.margay.app.jmx;

import java.lang.reflect.Array;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.management.AttributeNotFoundException;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import org.jspecify.annotations.Nullable;

/// The text of Tomcat's JMX proxy, for reading: `qry` names MBeans by a pattern, `get` one of them
/// with `att`, and `key` of what has several values. Stateless.
final class JmxProxy {
    private static final String LINE = "\r\n";

    /// Properties and options of the JVM, among which passwords may be.
    private static final Map<String, Set<String>> SECRET =
            Map.of("java.lang:type=Runtime", Set.of("SystemProperties", "InputArguments"));

    private JmxProxy() {}

    static String answer(MBeanServer mbeans, Map<String, String> parameters) {
        if (parameters.containsKey("set") || parameters.containsKey("invoke")) {
            return "Error - MBeans are only read here; set and invoke are refused\n";
        }
        try {
            String bean = parameters.get("get");
            return bean == null
                    ? query(mbeans, parameters.getOrDefault("qry", "*:*"))
                    : get(mbeans, bean, parameters.getOrDefault("att", ""), parameters.get("key"));
        } catch (JMException | RuntimeException e) {
            // Whoever asks reads it: a name that is none, an attribute that cannot be had.
            return "Error - " + escaped(e.toString()) + "\n";
        }
    }

    private static String get(
            MBeanServer mbeans, String bean, String attribute, @Nullable String key)
            throws JMException {
        ObjectName name = new ObjectName(bean);
        if (isSecret(name, attribute)) {
            throw new AttributeNotFoundException("[" + attribute + "] is not shown");
        }
        Object value = mbeans.getAttribute(name, attribute);
        if (key != null && value instanceof CompositeData data) {
            value = data.get(key);
        }
        return "OK - Attribute get '"
                + escaped(bean)
                + "' - "
                + escaped(attribute)
                + (key == null ? "" : " - key '" + escaped(key) + "'")
                + " = "
                + text(value)
                + "\n";
    }

    private static String query(MBeanServer mbeans, String pattern) throws JMException {
        Set<ObjectName> names = new TreeSet<>(mbeans.queryNames(new ObjectName(pattern), null));
        StringBuilder text = new StringBuilder();
        text.append("OK - Number of results: ").append(names.size()).append(LINE).append(LINE);
        for (ObjectName name : names) {
            text.append("Name: ").append(escaped(name.toString())).append(LINE);
            bean(mbeans, name, text);
            text.append(LINE);
        }
        return text.toString();
    }

    private static void bean(MBeanServer mbeans, ObjectName name, StringBuilder text) {
        try {
            MBeanInfo info = mbeans.getMBeanInfo(name);
            text.append("modelerType: ").append(info.getClassName()).append(LINE);
            for (MBeanAttributeInfo attribute : info.getAttributes()) {
                if (attribute.isReadable() && !isSecret(name, attribute.getName())) {
                    attribute(mbeans, name, attribute.getName(), text);
                }
            }
        } catch (JMException | RuntimeException e) {
            text.append("Error: ").append(escaped(e.toString())).append(LINE); // It has gone.
        }
    }

    /// Attributes that their MBean does not give are left out, as Tomcat does.
    private static void attribute(
            MBeanServer mbeans, ObjectName name, String attribute, StringBuilder text) {
        Object value;
        try {
            value = mbeans.getAttribute(name, attribute);
        } catch (JMException | RuntimeException e) {
            System.getLogger(JmxProxy.class.getName())
                    .log(System.Logger.Level.DEBUG, "an attribute without a value", e);
            return;
        }
        if (value != null) {
            text.append(attribute).append(": ").append(text(value)).append(LINE);
        }
    }

    private static boolean isSecret(ObjectName name, String attribute) {
        return SECRET.getOrDefault(name.getCanonicalName(), Set.of()).contains(attribute);
    }

    private static String text(@Nullable Object value) {
        if (value instanceof CompositeData data) {
            Map<String, String> values = new TreeMap<>();
            for (String key : data.getCompositeType().keySet()) {
                values.put(key, text(data.get(key)));
            }
            return values.toString();
        }
        if (value != null && value.getClass().isArray()) {
            int length = Array.getLength(value);
            StringBuilder text = new StringBuilder();
            text.append("Array[").append(value.getClass().getComponentType().getName());
            text.append("] of length ").append(length);
            for (int i = 0; i < length; i++) {
                text.append(LINE).append('\t').append(text(Array.get(value, i)));
            }
            return text.toString();
        }
        return escaped(String.valueOf(value));
    }

    /// On one line, whatever it holds.
    private static String escaped(String text) {
        return text.replace("\r", "\\r").replace("\n", "\\n");
    }
}
