<%
    var chain = (java.security.cert.X509Certificate[])
            request.getAttribute("jakarta.servlet.request.X509Certificate");
%><%= chain == null ? "nobody" : chain.length + " " + chain[0].getSubjectX500Principal() %>
<%= request.getAttribute("jakarta.servlet.request.cipher_suite") %>
<%= request.getAttribute("jakarta.servlet.request.key_size") %>
<%= request.getAttribute("jakarta.servlet.request.ssl_session_id") %>
<%= request.isSecure() %> <%= request.getRemoteUser() %> <%= request.getAuthType() %>
