<%@ page contentType="text/plain" %><%= request.getRemoteUser() %> <%= request.isUserInRole("buyer") %> <%= request.getAuthType() %>
