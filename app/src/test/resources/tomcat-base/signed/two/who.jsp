<%@ page session="false" %><%= request.getContextPath() %> <%= request.getRemoteUser() %> <%= request.getAuthType() %> <%= request.isUserInRole("staff") %>
